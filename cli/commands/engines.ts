import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { findModel } from "#lib/engines/models/catalog.ts"
import { openModelRegistry } from "#lib/engines/speech/index.ts"
import { createLogger } from "#lib/platform/logger.ts"
import { requireStore } from "#lib/services/deps.ts"
import { indexLibrary } from "#lib/services/documents/index-documents.ts"
import { finishChange } from "#lib/services/embedding/embedder-change.ts"
import { WORKER_STALE_AFTER_MS } from "#lib/services/installation/describe-installation.ts"
import { CHOICE_KINDS, listEngineChoices, setEngineChoice } from "#lib/services/installation/engine-choices.ts"
import { type Node, openNode } from "#lib/services/installation/open-node.ts"
import { requireSentenceModel } from "#lib/services/installation/sentence-models.ts"
import { settings } from "../environment.ts"
import { printResult } from "../output.ts"
import { createCounterBar, createDownloadBar } from "../progress.ts"

/** Downloads the sentence model of the catalog that an embedder needs, if it is missing. */
const pullSentenceModel = async (node: Node, value: string): Promise<void> => {
  if (value !== "onnx" && findModel(value)?.use !== "embedding") return
  const name = await requireSentenceModel(node.config, value)
  const registry = openModelRegistry(node.config)
  if (await registry.isPresent(name)) return
  const bar = createDownloadBar(name)
  try {
    await registry.ensure(name, { signal: new AbortController().signal, progress: bar.update })
    bar.finish()
  } finally {
    bar.end()
  }
}

const indexAll = async (node: Node): Promise<void> =>
  indexLibrary(node, await node.engines.getEmbedder(), new AbortController().signal)

/** Embeds the library with the new embedder, unless a worker does that in the background. */
const completeChange = async (
  node: Node,
  value: string,
): Promise<{ readonly detail: string; readonly is_pending: boolean }> => {
  const store = requireStore(node)
  const workers = await store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS })
  if (workers.length > 0)
    return { detail: "A worker does that in the background. `earmark engines` shows how far it is.", is_pending: true }
  const bar = createCounterBar("embedding texts")
  try {
    const isDone = await finishChange({ ...node, store }, new AbortController().signal, ({ done, total }) =>
      bar.update(done, total),
    )
    if (isDone) await indexAll(node)
    const detail = isDone ? `embedder is now ${value}` : "The change was withdrawn by another process."
    return { detail, is_pending: false }
  } finally {
    bar.end()
  }
}

export const addEngines = (program: Command): void => {
  const engines = program.command("engines").description("show or change the engines of this installation")
  engines
    .command("list", { isDefault: true })
    .description("print the chosen engines and the reasons")
    .action(async () => {
      const node = await openNode(settings(), createLogger("warn", "cli"))
      try {
        const rows = await listEngineChoices(node)
        printResult(rows, () => rows.map((r) => `${r.kind.padEnd(9)} ${r.value.padEnd(18)} ${r.reason}`).join("\n"))
      } finally {
        await node.close()
      }
    })
  engines
    .command("set <kind=value>")
    .description(`change an engine (${CHOICE_KINDS.join(", ")}); "auto" chooses again at the next start`)
    .action(async (pair: string) => {
      const [kind, value, ...rest] = pair.split("=")
      if (!kind || !value || rest.length)
        throw new AppError("invalid", "Expected kind=value, for example provider=builtin.")
      const node = await openNode(settings(), createLogger("warn", "cli"))
      try {
        if (kind === "embedder") await pullSentenceModel(node, value)
        const result = await setEngineChoice(node, { kind, value })
        if (result.is_pending) process.stderr.write(`${result.detail}\n`)
        const end = result.is_pending ? { ...result, ...(await completeChange(node, value)) } : result
        if (kind === "embedder" && value === "builtin") await indexAll(node)
        printResult(end, () => end.detail)
      } finally {
        await node.close()
      }
    })
}
