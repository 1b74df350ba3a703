import { AppError } from "../../domain/errors.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { Composition, PartialLayout, VizCompute } from "../../map/types.ts"
import type { Logger } from "../../platform/logger.ts"
import type { Layout } from "../../storage/stores/ports/map.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { type Content, readContent } from "./content.ts"

/** One seed for good: the same texts give the same map. */
const SEED = 42
/** Clips that end together are refitted together. */
const REFIT_DELAY_MS = 500
/** A refit that newer clips have put off for so long is let through. */
const REFIT_PATIENCE_MS = 30_000

/** The map as it can be shown: contents, what was computed from them, and which layout the coordinates come from. */
export type MapView = {
  readonly content: Content
  readonly composition: Composition
  readonly layoutVersion: number
}

export type MapParts = { readonly store: Store; readonly viz: VizCompute; readonly log: Logger }

/**
 * The topic map of one store in this process. Topics and vectors are read when the store's map revision rises; new
 * topics are placed into the layout that stands, and a refit then runs behind the requests and replaces it.
 */
export class TopicMap {
  private revision = -1
  private content: Promise<Content> | null = null
  private latest: Content | null = null
  private layout: { readonly model: string; readonly value: Layout | null } | null = null
  private view: { readonly of: Content; readonly value: Promise<MapView> } | null = null
  private refitTimer: NodeJS.Timeout | null = null
  private refitting: AbortController | null = null
  private refitWantedAt = 0

  constructor(private readonly parts: MapParts) {}

  /** Topics and vectors as they are now; concurrent callers share the reading. */
  async topics(embedder: Embedder): Promise<Content> {
    const revision = await this.parts.store.map.getRevision()
    if (this.content && revision <= this.revision && (await this.content).model === embedder.name) return this.content
    const reading = readContent(this.parts.store, embedder, this.latest)
    this.revision = revision
    this.content = reading
    try {
      this.latest = await reading
      return this.latest
    } catch (error) {
      if (this.content === reading) this.content = null
      throw error
    }
  }

  /** The map as it is now. */
  async current(embedder: Embedder): Promise<MapView> {
    const content = await this.topics(embedder)
    const shown = this.view
    if (shown?.of === content) return shown.value
    // Other titles over the same texts need no computation.
    const value =
      shown?.of.key === content.key ? shown.value.then((view) => ({ ...view, content })) : this.compose(content)
    this.view = { of: content, value }
    try {
      return await value
    } catch (error) {
      if (this.view?.value === value) this.view = null
      throw error
    }
  }

  /** Version of the layout that stands; 0: none yet. */
  async layoutVersion(model: string): Promise<number> {
    return (await this.standing(model))?.version ?? 0
  }

  private async standing(model: string): Promise<Layout | null> {
    if (this.layout?.model !== model) this.layout = { model, value: await this.parts.store.map.getLayout(model) }
    return this.layout.value
  }

  private async compose(content: Content): Promise<MapView> {
    if (Date.now() - this.refitWantedAt < REFIT_PATIENCE_MS) this.refitting?.abort(superseded())
    const { points, hashes, key, model } = content
    const layout = await this.standing(model)
    const previous = layout && knownRows(layout, hashes)
    const version = layout?.version ?? 0
    const composition = await this.parts.viz.compose(`${key}@${version}`, { points, previous, seed: SEED })
    const fresh = previous ? hashes.length - previous.count : 0
    if (previous && previous.count > 0) {
      if (fresh > 0) this.refitLater()
      return { content, composition, layoutVersion: version }
    }
    if (hashes.length === 0) return { content, composition, layoutVersion: version }
    const kept = await this.keep(model, { hashes, coords: composition.coords }, version)
    return kept ? { content, composition, layoutVersion: kept.version } : this.compose(content)
  }

  /** Null: another process was faster; its layout stands. */
  private async keep(model: string, layout: Omit<Layout, "version">, replaces: number): Promise<Layout | null> {
    const kept = await this.parts.store.map.putLayout(model, layout, replaces)
    this.layout = kept && { model, value: kept }
    return kept
  }

  private refitLater(): void {
    if (this.refitTimer) return
    this.refitWantedAt ||= Date.now()
    this.refitTimer = setTimeout(() => {
      this.refitTimer = null
      this.refit().catch((error: unknown) => this.refitFailed(error))
    }, REFIT_DELAY_MS).unref()
  }

  private async refit(): Promise<void> {
    if (this.refitting) return this.refitLater()
    const shown = this.view
    if (!shown) return
    const { content, composition, layoutVersion } = await shown.value
    const { points, hashes, key, model } = content
    const abort = new AbortController()
    this.refitting = abort
    try {
      const previous = knownRows(await this.standing(model), hashes)
      const request = { points, graph: composition.graph, previous, seed: SEED }
      const coords = await this.parts.viz.refit(`${key}@${layoutVersion}`, request, abort.signal)
      const kept = await this.keep(model, { hashes, coords }, layoutVersion)
      this.refitWantedAt = 0
      const now = this.view?.of
      if (kept && now?.key === key)
        this.show({ content: now, composition: { ...composition, coords }, layoutVersion: kept.version })
      else this.view = null
    } finally {
      this.refitting = null
    }
  }

  private show(view: MapView): void {
    this.view = { of: view.content, value: Promise.resolve(view) }
  }

  private refitFailed(error: unknown): void {
    const { log } = this.parts
    if (AppError.is(error) && error.code === "unavailable") log.debug({ err: error }, "the new layout was put off")
    else log.warn({ err: error }, "no new layout: the old one stays, with new topics placed into it")
  }
}

const superseded = () => new AppError("unavailable", "Newer topics came; the layout is computed with them.")

/** Returns the coordinates of the rows that a layout contains. */
const knownRows = (layout: Layout | null, hashes: readonly string[]): PartialLayout & { readonly count: number } => {
  const at = new Map(layout?.hashes.map((hash, i) => [hash, i]))
  const coords = new Float32Array(3 * hashes.length)
  const known = new Uint8Array(hashes.length)
  let count = 0
  hashes.forEach((hash, row) => {
    const i = at.get(hash)
    if (i === undefined || !layout) return
    coords.set(layout.coords.subarray(3 * i, 3 * i + 3), 3 * row)
    known[row] = 1
    count++
  })
  return { coords, known, count }
}
