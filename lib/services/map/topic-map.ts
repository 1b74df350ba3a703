import { AppError } from "../../domain/errors.ts"
import type { Embedder } from "../../engines/language/types.ts"
import type { Composition, KnownNeighbors, PartialLayout, VizCompute } from "../../map/types.ts"
import type { Layout } from "../../storage/stores/ports/map.ts"
import type { Store } from "../../storage/stores/ports/store.ts"
import { type Deps, requireStore } from "../deps.ts"
import { loadMapContent, type MapContent } from "./map-content.ts"

/** A constant seed, so that the same texts give the same map. */
const SEED = 42
/** Refits wait this long, so that clips finished together share one refit. */
const REFIT_DELAY_MS = 500
/** New topics abort a running refit, but not once refits have been delayed for this long. */
const MAX_REFIT_DELAY_MS = 30_000

/** A map that can be shown: the content, the result of its computation, and the version of its layout. */
export type MapView = {
  readonly content: MapContent
  readonly composition: Composition
  readonly layoutVersion: number
}

export type TopicMapDeps = Pick<Deps, "index" | "config" | "log"> & { readonly store: Store; readonly viz: VizCompute }
export type VizDeps = Pick<Deps, "store" | "index" | "config" | "groups" | "engines" | "log"> & {
  readonly viz: VizCompute
}

/** Global, because the web bundle may contain several copies of this module, but a store has only one map. */
const MAPS = Symbol.for("earmark.topicMaps")
type Shared = { [MAPS]?: WeakMap<object, TopicMap> }

/** Returns this process's map of a store. @throws AppError `capability_missing` without group `rag` */
export const getTopicMap = (deps: VizDeps): TopicMap => {
  const store = requireStore(deps)
  const shared = globalThis as Shared
  shared[MAPS] ??= new WeakMap()
  const existing = shared[MAPS].get(store)
  if (existing) return existing
  const map = new TopicMap({ ...deps, store })
  shared[MAPS].set(store, map)
  return map
}

/**
 * The map of one store in this process. It reloads topics and vectors when the store's map revision rises. New topics are
 * projected into the existing layout; a refit in the background then replaces the layout.
 */
export class TopicMap {
  private revision = -1
  private loading: Promise<MapContent> | null = null
  private loaded: MapContent | null = null
  private layout: { readonly model: string; readonly value: Layout | null } | null = null
  private view: { readonly content: MapContent; readonly value: Promise<MapView> } | null = null
  private refitTimer: NodeJS.Timeout | null = null
  private refitAbort: AbortController | null = null
  /** When a refit was first requested since the last one, in Unix milliseconds; 0 if none is pending. */
  private refitRequestedAt = 0

  constructor(private readonly deps: TopicMapDeps) {}

  /** Returns the current topics and vectors. Concurrent calls share one load. */
  async loadContent(embedder: Embedder): Promise<MapContent> {
    const revision = await this.deps.store.map.getRevision()
    if (this.loading && revision <= this.revision && (await this.loading).model === embedder.name) return this.loading
    const loading = loadMapContent(this.deps, embedder, this.loaded)
    this.revision = revision
    this.loading = loading
    try {
      this.loaded = await loading
      return this.loaded
    } catch (error) {
      if (this.loading === loading) this.loading = null
      throw error
    }
  }

  /** Returns the current map. */
  async loadView(embedder: Embedder): Promise<MapView> {
    const content = await this.loadContent(embedder)
    const current = this.view
    if (current?.content === content) return current.value
    // If only titles have changed, the computation is still valid.
    const value =
      current?.content.key === content.key
        ? current.value.then((view) => ({ ...view, content }))
        : this.compose(content, current?.value)
    this.view = { content, value }
    try {
      return await value
    } catch (error) {
      if (this.view?.value === value) this.view = null
      throw error
    }
  }

  /** Returns the version of the current layout, or 0 if there is none. */
  async getLayoutVersion(model: string): Promise<number> {
    return (await this.loadLayout(model))?.version ?? 0
  }

  private async loadLayout(model: string): Promise<Layout | null> {
    if (this.layout?.model !== model) this.layout = { model, value: await this.deps.store.map.getLayout(model) }
    return this.layout.value
  }

  /** @param before the map that was shown before, whose neighbors are reused */
  private async compose(content: MapContent, before?: Promise<MapView>): Promise<MapView> {
    if (Date.now() - this.refitRequestedAt < MAX_REFIT_DELAY_MS) this.refitAbort?.abort(supersededError())
    const { points, links, hashes, key, model } = content
    const layout = await this.loadLayout(model)
    const previous = layout && selectKnownRows(layout, hashes)
    const layoutVersion = layout?.version ?? 0
    const known = selectKnownNeighbors(await before?.catch(() => undefined), content)
    const request = { points, links, previous, known, seed: SEED }
    const composition = await this.deps.viz.compose(`${key}@${layoutVersion}`, request)
    if (previous && previous.count > 0) {
      if (previous.count < hashes.length) this.scheduleRefit()
      return { content, composition, layoutVersion }
    }
    if (hashes.length === 0) return { content, composition, layoutVersion }
    const saved = await this.saveLayout(model, { hashes, coords: composition.coords }, layoutVersion)
    return saved ? { content, composition, layoutVersion: saved.version } : this.compose(content)
  }

  /** Returns null if another process has saved a layout first. That layout then remains. */
  private async saveLayout(model: string, layout: Omit<Layout, "version">, replaces: number): Promise<Layout | null> {
    const saved = await this.deps.store.map.putLayout(model, layout, replaces)
    this.layout = saved && { model, value: saved }
    return saved
  }

  private scheduleRefit(): void {
    if (this.refitTimer) return
    this.refitRequestedAt ||= Date.now()
    this.refitTimer = setTimeout(() => {
      this.refitTimer = null
      this.refit().catch((error: unknown) => this.logRefitError(error))
    }, REFIT_DELAY_MS).unref()
  }

  private async refit(): Promise<void> {
    if (this.refitAbort) return this.scheduleRefit()
    if (!this.view) return
    const { content, composition, layoutVersion } = await this.view.value
    const { points, hashes, key, model } = content
    const abort = new AbortController()
    this.refitAbort = abort
    try {
      const previous = selectKnownRows(await this.loadLayout(model), hashes)
      const request = { points, graph: composition.graph, previous, seed: SEED }
      const coords = await this.deps.viz.refit(`${key}@${layoutVersion}`, request, abort.signal)
      const saved = await this.saveLayout(model, { hashes, coords }, layoutVersion)
      this.refitRequestedAt = 0
      const current = this.view?.content
      if (saved && current?.key === key)
        this.setView({ content: current, composition: { ...composition, coords }, layoutVersion: saved.version })
      else this.view = null
    } finally {
      this.refitAbort = null
    }
  }

  private setView(view: MapView): void {
    this.view = { content: view.content, value: Promise.resolve(view) }
  }

  private logRefitError(error: unknown): void {
    const { log } = this.deps
    if (AppError.is(error) && error.code === "unavailable") log.debug({ err: error }, "layout refit postponed")
    else log.warn({ err: error }, "layout refit failed; keeping the previous layout with new topics added")
  }
}

const supersededError = () =>
  new AppError("unavailable", "The layout refit was aborted because there are newer topics. They start another refit.")

/** Returns the neighbors of an earlier map with the same vectors. */
const selectKnownNeighbors = (before: MapView | undefined, content: MapContent): KnownNeighbors | null => {
  if (before?.content.model !== content.model || before.content.vectors.space?.key !== content.vectors.space?.key)
    return null
  const rowByHash = new Map(content.hashes.map((hash, row) => [hash, row]))
  const rowOf = Int32Array.from(before.content.hashes, (hash) => rowByHash.get(hash) ?? -1)
  return { graph: before.composition.graph, rowOf }
}

/** Returns the coordinates of the rows that the layout contains; zeros for a single row. */
const selectKnownRows = (
  layout: Layout | null,
  hashes: readonly string[],
): PartialLayout & { readonly count: number } => {
  const indexByHash = new Map(layout?.hashes.map((hash, i) => [hash, i]))
  const coords = new Float32Array(3 * hashes.length)
  const known = new Uint8Array(hashes.length)
  let count = 0
  hashes.forEach((hash, row) => {
    const i = indexByHash.get(hash)
    if (i === undefined || !layout) return
    coords.set(layout.coords.subarray(3 * i, 3 * i + 3), 3 * row)
    known[row] = 1
    count++
  })
  // A single topic is the center of its map, wherever it was on a larger one.
  if (hashes.length === 1) coords.fill(0)
  return { coords, known, count }
}
