import type { EmbedderChange } from "#lib/domain/installation.ts"
import { Button } from "../../ui/Button.tsx"
import { capitalize } from "../../ui/format.ts"
import { Progress } from "../../ui/Progress.tsx"
import { useChooseEngine } from "./use-choose-engine.ts"

/** How far a change of the embedder is. The map and search use the current one until it ends. */
export const EmbedderProgress = ({ change, current }: { change: EmbedderChange; current: string }) => {
  const { value, done, total, problem } = change
  const choose = useChooseEngine()
  return (
    <div className="grid gap-2 rounded-md border border-line bg-surface px-4 py-3 text-sm" data-change={value}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="min-w-0 text-soft [overflow-wrap:anywhere]">
          <span className="font-[600] text-ink">Changing to {value}.</span>{" "}
          {total > 0
            ? `${done.toLocaleString("en")} of ${total.toLocaleString("en")} texts are embedded.`
            : "A worker prepares it."}{" "}
          Until then, map and search stay as they are.
        </p>
        <Button
          variant="quiet"
          disabled={choose.isPending}
          onClick={() => choose.mutate({ kind: "embedder", value: current })}
        >
          Cancel the change
        </Button>
      </div>
      <Progress value={total > 0 ? done / total : null} label={`Embedding texts with ${value}`} />
      {problem && (
        <p role="alert" className="text-bad [overflow-wrap:anywhere]">
          {capitalize(problem)} A worker tries again.
        </p>
      )}
    </div>
  )
}
