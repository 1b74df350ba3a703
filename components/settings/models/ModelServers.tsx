"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import type { ModelServer, ServerModel } from "#lib/domain/model-servers.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { formatBytes } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { WithCode } from "../../ui/WithCode.tsx"
import { Section } from "../Section.tsx"
import { ModelRow } from "./ModelRow.tsx"

const POLL_MS = 1000

const USES: Readonly<Record<ServerModel["use"], string>> = {
  language: "Writes topics and answers",
  embedding: "Compares texts by meaning",
}

const factsOf = ({ bytes, context, in_use, state }: ServerModel): string =>
  [
    bytes === null ? null : formatBytes(bytes),
    context === null ? null : `context of ${context.toLocaleString("en")} tokens`,
    in_use ? "in use" : state === "absent" ? "not downloaded" : null,
  ]
    .filter((fact) => fact !== null)
    .join(" · ")

type ServerProps = { server: ModelServer; requested: string | undefined; onPull: (name: string) => void }

const Server = ({
  server: { provider, url, uses, state, problem, can_pull, models },
  requested,
  onPull,
}: ServerProps) => {
  const [name, setName] = useState("")
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== "") onPull(name.trim())
    setName("")
  }
  return (
    <Section id={`server-${provider}-${uses.join("-")}`} title={provider === "ollama" ? "Ollama" : "Model server"}>
      <p className="-mt-2 text-sm text-muted [overflow-wrap:anywhere]">
        {url}
        {provider === "openai" &&
          ` · for ${uses.map((use) => (use === "language" ? "topics and answers" : "embeddings")).join(" and ")}`}
        {state === "down" && " · not found"}
      </p>
      {problem && (
        <p className="text-sm text-soft [overflow-wrap:anywhere]">
          <WithCode>{problem}</WithCode>
        </p>
      )}
      {models.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {models.map((model) => (
            <ModelRow
              key={model.name}
              name={model.name}
              purpose={USES[model.use]}
              facts={factsOf(model)}
              isInstalled={model.state === "present"}
              isDownloading={model.pulling || requested === model.name}
              fetched={model.fetched_bytes}
              total={model.bytes}
              problem={model.problem}
              onDownload={can_pull ? () => onPull(model.name) : undefined}
            />
          ))}
        </ul>
      )}
      {can_pull && (
        <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
          <div className="min-w-0 flex-1 basis-56">
            <Field
              label="Download another model"
              value={name}
              onChange={(event) => setName(event.target.value)}
              placeholder="gemma4"
              maxLength={200}
              autoCapitalize="none"
              spellCheck={false}
            />
          </div>
          <Button type="submit" icon="save" disabled={name.trim() === "" || requested !== undefined}>
            Download
          </Button>
        </form>
      )}
    </Section>
  )
}

/** The model servers of the settings and their models. Ollama can download more. */
export const ModelServers = () => {
  const queryClient = useQueryClient()
  const servers = useQuery({
    queryKey: queryKeys.modelServers,
    queryFn: ({ signal }) => client.modelServers({ signal }),
    refetchInterval: ({ state }) =>
      state.data?.servers.some(({ models }) => models.some(({ pulling }) => pulling)) ? POLL_MS : false,
  })
  const pull = useMutation({
    mutationFn: (name: string) => client.pullModel(name),
    onSettled: () =>
      Promise.all(
        [queryKeys.modelServers, queryKeys.engines].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      ),
  })
  return (
    <>
      {servers.isError && <Notice onRetry={() => servers.refetch()}>{errorMessage(servers.error)}</Notice>}
      {pull.isError && <Notice>{errorMessage(pull.error)}</Notice>}
      {servers.isPending && <p className="animate-pulse text-sm text-muted">Looking for model servers…</p>}
      {servers.data?.servers.map((server) => (
        <Server
          key={`${server.provider} ${server.url} ${server.uses}`}
          server={server}
          requested={pull.isPending ? pull.variables : undefined}
          onPull={(name) => pull.mutate(name)}
        />
      ))}
    </>
  )
}
