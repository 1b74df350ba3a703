import type { Check } from "../../domain/health.ts"
import type { Logger } from "../logger.ts"

const DEFAULT_ENDPOINT = "http://localhost:4318"

/** Returns the OTLP endpoint without credentials, for messages. The exporters read the variables themselves. */
const endpoint = (env: NodeJS.ProcessEnv): string => {
  const given = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT || DEFAULT_ENDPOINT
  try {
    const { protocol, host, pathname } = new URL(given)
    return `${protocol}//${host}${pathname === "/" ? "" : pathname}`
  } catch {
    return "an invalid URL (OTEL_EXPORTER_OTLP_ENDPOINT)"
  }
}

type Result = { readonly code: number; readonly error?: Error }
type Exporter<Items> = { export(items: Items, done: (result: Result) => void): void }

/** Records the result of each export. A failing collector is logged once and shown in readiness while it fails. */
export const monitorExports = (log: Logger) => {
  const to = endpoint(process.env)
  let problem: string | null = null
  const note = ({ code, error }: Result): void => {
    const was = problem
    problem = code === 0 ? null : (error?.message ?? "").split("\n")[0] || "no answer"
    if (problem !== null && was === null)
      log.warn({ to, detail: problem }, "telemetry export failed; the service continues")
    if (problem === null && was !== null) log.info({ to }, "telemetry export recovered")
  }
  return {
    to,
    /** Wraps an exporter. `prepare` gets the items before they are sent. */
    watched: <Items, E extends Exporter<Items>>(exporter: E, prepare: (items: Items) => void = () => {}): E => {
      const send = exporter.export.bind(exporter)
      exporter.export = (items, done) => {
        prepare(items)
        send(items, (result) => {
          note(result)
          done(result)
        })
      }
      return exporter
    },
    state: (): Check =>
      problem === null
        ? { state: "ok", picked: "otlp", detail: `to ${to}` }
        : { state: "degraded", picked: "otlp", detail: `the last export to ${to} failed: ${problem}` },
  }
}
