import type { Speech } from "../../../domain/topics/speech.ts"
import type { FlatTopic } from "../../../domain/topics/topic-tree.ts"

export type MapTopic = FlatTopic & {
  readonly clip_id: string
  /** The speaker with the most speaking time in the topic; null if nobody speaks, or if it is not known yet. */
  readonly speaker: string | null
  /** The hash of title and summary. */
  readonly hash: string
  /** Title and summary. */
  readonly text: string
  /** The hash of the words that are spoken in the topic. */
  readonly speechHash: string
}

export type MapSnapshot = {
  /** Increases with every change that the map shows. */
  readonly revision: number
  readonly clips: readonly {
    readonly id: string
    readonly title: string
    /** The names that people gave to speakers, by speaker. */
    readonly speakers: Readonly<Record<string, string>>
    /** The date of publication, else of creation, in ISO 8601. */
    readonly date: string
  }[]
  /** Ordered by clip (oldest first), then by topic number. */
  readonly topics: readonly MapTopic[]
}

/** The coordinates of topics by content hash: those of `hashes[i]` are `coords[3i]` to `coords[3i + 2]`. */
export type Layout = { readonly version: number; readonly hashes: readonly string[]; readonly coords: Float32Array }

/** Stores what the map of topics is made of: topics, their vectors and their layout. */
export interface MapStore {
  getRevision(): Promise<number>
  getSnapshot(): Promise<MapSnapshot>
  /** Returns the stored vectors by content hash. Hashes without a vector are absent. */
  getVectors(model: string, hashes: readonly string[]): Promise<Map<string, Float32Array>>
  putVectors(model: string, vectors: readonly { hash: string; vector: Float32Array }[]): Promise<void>
  /** Returns what is said in topics, by hash. Hashes that are not stored are absent. */
  getSpeech(hashes: readonly string[]): Promise<Map<string, Speech>>
  /** Returns the stored names of regions, by key. Unknown keys are absent. */
  getRegionNames(keys: readonly string[]): Promise<Map<string, string>>
  /** Stores names and increments the map revision. Keeps the latest 1000. */
  putRegionNames(names: ReadonlyMap<string, string>): Promise<void>
  getLayout(model: string): Promise<Layout | null>
  /**
   * Replaces the layout and increments its version if the stored version equals `replaces`. Returns null if it does not.
   */
  putLayout(model: string, layout: Omit<Layout, "version">, replaces: number): Promise<Layout | null>
}
