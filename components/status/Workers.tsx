import type { Installation } from "#lib/domain/installation.ts"
import { formatCount, formatTimeAgo } from "../ui/format.ts"
import { Section } from "./Section.tsx"
import { describeStages, findMixedVersions, groupWorkers } from "./worker-pools.ts"

/** Who works, host by host. */
export const Workers = ({ workers }: Pick<Installation, "workers">) => {
  const versions = findMixedVersions(workers)
  return (
    <Section id="workers" title="Workers">
      {workers.length === 0 && (
        <p className="text-sm text-muted">
          None was heard of lately. <code>npx earmark serve</code> brings workers along; <code>npx earmark worker</code>{" "}
          starts one by itself.
        </p>
      )}
      {workers.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {groupWorkers(workers).map((crew) => (
            <li
              key={JSON.stringify([crew.host, crew.version, crew.stages])}
              className="grid gap-x-6 py-2.5 sm:grid-cols-[12rem_1fr]"
            >
              <p className="text-sm text-muted [overflow-wrap:anywhere]">{crew.host}</p>
              <p className="numeric">
                <span className="font-[600]">{formatCount(crew.workers, "worker")}</span>
                <span className="block text-sm text-muted">
                  {crew.version && `${crew.version} · `}
                  {describeStages(crew.stages)}
                  {crew.active_at && ` · active ${formatTimeAgo(crew.active_at)}`}
                </span>
              </p>
            </li>
          ))}
        </ul>
      )}
      {versions.length > 0 && (
        <p className="text-sm text-soft">
          {`Versions ${versions.slice(0, -1).join(", ")} and ${versions.at(-1)} work side by side. That is well while an upgrade goes on; bring every host to the newest then.`}
        </p>
      )}
    </Section>
  )
}
