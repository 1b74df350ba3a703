import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { uuid5 } from "../../lib/domain/ids.ts"
import { bundleWorker } from "../../lib/map/testing/bundle-worker.ts"
import { openVizCompute } from "../../lib/map/worker/compute-thread.ts"
import { loadConfig } from "../../lib/platform/config/config.ts"
import { createLogger } from "../../lib/platform/logger.ts"
import { Earmark } from "../../lib/sdk/index.ts"
import { buildWords } from "../../lib/services/evaluation/recordings.ts"
import { openNode } from "../../lib/services/installation/open-node.ts"
import type { Recording } from "./recordings.ts"

/**
 * Opens an installation that contains the recordings, processed with the builtin engines.
 * @param folder where the installation is kept, so that a later run need not process the recordings again. By default it
 * is temporary.
 */
export const openLibrary = async (recordings: readonly Recording[], folder: string | undefined) => {
  const dir = resolve(folder ?? mkdtempSync(join(tmpdir(), "earmark-eval-")))
  const config = loadConfig({ SERVICE_DATA_DIR: dir, SERVICE_INGEST_ROOTS: dir, SERVICE_PROVIDER: "builtin" })
  const log = createLogger("silent", "eval")
  const node = await openNode(config, log)
  const earmark = new Earmark(config)
  const clips = new Map<string, Recording>()
  for (const [i, recording] of recordings.entries()) {
    const source = join(dir, `${recording.id}.wav`)
    const id = uuid5(source)
    const stored = await node.store!.topics.get(id)
    if ((stored?.tree.topics.length ?? 0) === 0)
      await earmark.generateTopics(source, { transcription: buildWords(recording), title: recording.id })
    clips.set(id, recording)
    process.stderr.write(`\r${i + 1} of ${recordings.length} recordings`)
  }
  process.stderr.write("\n")
  await earmark.close()
  const viz = openVizCompute({ workerFile: await bundleWorker(), log })
  return {
    deps: { ...node, viz },
    /** Clip ID → recording. */
    clips,
    close: async () => {
      await viz.close()
      await node.close()
      if (folder === undefined) rmSync(dir, { recursive: true, force: true })
    },
  }
}
