import { join } from "node:path"
import { silent, tempConfig } from "#test/fixtures/web.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import type { NewClip } from "../../storage/stores/ports/clips.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { topicsOf, transcriptOf, tryClaim } from "../../storage/stores/testing/fixtures.ts"
import { type Node, openNode } from "../installation/open-node.ts"

export type TestNode = Node & {
  readonly store: Store
  /** The folder of the data, which is also the only folder that recordings may be in. */
  readonly dir: string
  at(name: string): string
  /** Saves a clip with topics about its ID. */
  addClip(id: string, changes?: Partial<NewClip> & { readonly words?: readonly WordSpan[] }): Promise<void>
  /** Closes the node and removes its data. */
  end(): Promise<void>
}

/** Opens the dependencies of a service with SQLite and the builtin engines in a temporary folder. */
export const openTestNode = async (env: Record<string, string> = {}): Promise<TestNode> => {
  const { dir, config, remove } = tempConfig(env)
  const node = await openNode(config, silent)
  const store = node.store!
  return {
    ...node,
    store,
    dir,
    at: (name) => join(dir, name),
    addClip: async (id, { words, ...changes } = {}) => {
      const clip = { title: `Clip ${id}`, source_url: null, file_path: null, ...changes }
      const transcript = transcriptOf("one two three")
      const file_path = clip.file_path
      await store.clips.saveTranscript(id, clip, { ...transcript, file_path, ...(words && { words: [...words] }) })
      await store.topics.save(id, topicsOf(id))
    },
    end: async () => {
      await node.close()
      remove()
    },
  }
}

/** Claims the first stage of a submitted job, and returns what a worker gets to know about the job. */
export const submittedJob = async (store: Store, jobId: string) => {
  const result = await tryClaim(store, jobId, "whisper")
  if (!result.claim) throw new Error(`the job could not be claimed: ${result.why}`)
  return result
}
