"use client"
import { useEffect, useMemo, useRef, useState } from "react"
import { errorMessage } from "../api/client.ts"
import { useVizData } from "../api/map.ts"
import { BottomNav } from "../shell/Navigation.tsx"
import { cx } from "../ui/cx.ts"
import { lazyWithRetry } from "../ui/lazy-with-retry.tsx"
import { useDark, usePhone } from "../ui/use-media.ts"
import { Collection } from "./panels/Collection.tsx"
import { Controls } from "./panels/Controls.tsx"
import { Legend } from "./panels/Legend.tsx"
import { Empty, Failed, Loading } from "./panels/PageStates.tsx"
import { computePanelLayout } from "./panels/panel-layout.ts"
import { FlatNotice, MissingTopicNotice, NoMapNotice, SceneErrorBoundary } from "./panels/SceneNotices.tsx"
import { LassoOutline, Marker, TopicCard } from "./panels/SceneOverlays.tsx"
import { Sidebar } from "./panels/Sidebar.tsx"
import { Timeline } from "./panels/Timeline.tsx"
import { TopicPanel } from "./panels/TopicPanel.tsx"
import { useMapKeys } from "./panels/use-map-keys.ts"
import { useMeasuredAreas } from "./panels/use-measured-areas.ts"
import { chooseRenderer, useRendererChoice } from "./panels/use-renderer-choice.ts"
import { type MapModel, toModel } from "./state/model.ts"
import { NONE, useMap } from "./state/store.ts"
import { useMissingTopic } from "./state/use-missing-topic.ts"
import { useUrlState } from "./state/use-url-state.ts"

const loadScene = () => import("./scene/Scene.tsx").then((m) => m.Scene)
const Scene = lazyWithRetry(loadScene, { overlay: true })
const FlatScene = lazyWithRetry(() => import("./flat/FlatScene.tsx").then((m) => m.FlatScene), { overlay: true })

/**
 * The grid of the panels. On a phone the rows are search, map, legend or timeline, and bottom sheet; the navigation bar is
 * fixed below them. On a wide screen the columns are list, map, controls and side panel. The height of the first row
 * is that of the closed list. Search results open over the map, so they must not change it.
 */
const GRID =
  "pointer-events-none absolute inset-0 grid grid-cols-[minmax(0,1fr)_auto] grid-rows-[3.5rem_minmax(0,1fr)_auto_auto] p-2 max-md:pb-17 md:grid-cols-[auto_minmax(0,1fr)_auto_auto] md:grid-rows-[5.5rem_minmax(0,1fr)_auto] md:p-3"

const cellsOf = (isListOpen: boolean) => ({
  free: cx("max-md:col-1 max-md:row-2 my-2 md:my-3", isListOpen ? "md:col-2 md:row-[1/3]" : "md:col-[1/3] md:row-2"),
  // The scene continues for 20 px, the gap of 12 px and 8 px more, under the rounded corners of the side panels.
  uncovered: cx("-mx-5 row-span-full max-md:col-span-full", isListOpen ? "md:col-[2/4]" : "md:col-[1/4]"),
  foot: cx("flex flex-col gap-2 max-md:col-span-full max-md:row-3 md:row-3", isListOpen ? "md:col-2" : "md:col-[1/3]"),
  list: cx("max-md:col-span-full max-md:row-[1/4] md:row-span-full md:mr-3", isListOpen ? "md:col-1" : "md:col-[1/3]"),
  controls: "self-end ml-2 max-md:col-2 max-md:row-2 md:col-3 md:row-span-full",
})

const LoadedMap = ({ model }: { model: MapModel }) => {
  const isDark = useDark()
  const isPhone = usePhone()
  const view = useRef<HTMLDivElement>(null)
  const free = useRef<HTMLDivElement>(null)
  const uncovered = useRef<HTMLDivElement>(null)
  const overlay = useRef<HTMLDivElement>(null)
  const card = useRef<HTMLDivElement>(null)
  const marker = useRef<SVGSVGElement>(null)
  const outline = useRef<SVGPolygonElement>(null)
  const { choice, retry, onSceneFailed, onContextLost, onFlatFailed } = useRendererChoice()
  const [isListWanted, setIsListWanted] = useState<boolean | null>(null)
  const sidePanel = useMap((s) => (s.selected !== NONE ? "topic" : s.collected !== null ? "collection" : null))
  const axis = useMap((s) => s.axis)
  const renderer = choice.kind
  useMapKeys(renderer)

  const layout = computePanelLayout({ isPhone, renderer, isListWanted, sidePanel, isTimelineOpen: axis !== null })
  const { isListOpen } = layout
  const cells = cellsOf(isListOpen)
  const flatReason = choice.kind === "flat" && layout.hasFlatNotice ? choice.reason : null
  const areas = useMeasuredAreas(view, free, uncovered)
  const sceneProps = areas && { model, dark: isDark, insets: areas.insets, isPhone, overlay, card, marker, outline }
  return (
    <>
      {layout.isDrawn && sceneProps && (
        <section aria-label="Map of topics. The list contains the same topics." className="absolute inset-0">
          {/* Anything that moves under a panel would force the browser to composite the panel again in every frame. */}
          <div data-uncovered className="absolute inset-y-0 overflow-hidden" style={areas.covered}>
            <div className="absolute inset-y-0" style={{ left: -areas.covered.left, right: -areas.covered.right }}>
              <SceneErrorBoundary key={renderer} onError={renderer === "webgl" ? onSceneFailed : onFlatFailed}>
                {renderer === "webgl" ? (
                  <Scene {...sceneProps} onContextLost={onContextLost} />
                ) : (
                  <FlatScene {...sceneProps} onFailed={onFlatFailed} />
                )}
              </SceneErrorBoundary>
              <Marker ref={marker} />
              <div ref={overlay} aria-hidden="true" className="pointer-events-none absolute inset-0 overflow-hidden" />
              <LassoOutline ref={outline} />
            </div>
          </div>
          <TopicCard ref={card} />
        </section>
      )}
      <div ref={view} className={GRID}>
        <div ref={uncovered} className={cells.uncovered} />
        <div ref={free} className={cells.free} />
        <Sidebar
          model={model}
          className={cells.list}
          isOpen={isListOpen}
          isListHidden={layout.isListHidden}
          onToggle={() => setIsListWanted(!isListOpen)}
          notice={layout.hasNoMapNotice && <NoMapNotice />}
        />
        {(layout.hasLegend || layout.hasTimeline || flatReason) && (
          <div className={cells.foot}>
            {flatReason && <FlatNotice reason={flatReason} onRetry={retry} />}
            {layout.hasLegend && <Legend model={model} />}
            {layout.hasTimeline && axis && <Timeline model={model} axis={axis} />}
          </div>
        )}
        {layout.hasControls && <Controls className={cells.controls} hasSpace={renderer === "webgl"} />}
        {sidePanel === "topic" && <TopicPanel model={model} />}
        {sidePanel === "collection" && <Collection model={model} />}
      </div>
      <BottomNav className="md:hidden" />
    </>
  )
}

/** The map page. Shows the map, or why it cannot be shown. */
export const Explorer = () => {
  const response = useVizData()
  // The scene loads while the map does. If that fails, it says so when it is shown.
  useEffect(() => {
    if (chooseRenderer().kind === "webgl") loadScene().catch(() => undefined)
  }, [])
  const data = response.data?.data
  const previous = useRef<MapModel | null>(null)
  const model = useMemo(() => (data && data.points.length > 0 ? toModel(data, previous.current) : null), [data])
  useEffect(() => {
    previous.current = model
  }, [model])
  useUrlState(model)
  const { isMissing, dismiss } = useMissingTopic(model)
  return (
    <main className="map-ground fixed inset-0 overflow-hidden overscroll-none">
      <h1 className="sr-only">Map of topics</h1>
      {response.isPending && <Loading />}
      {response.isError && !data && <Failed detail={errorMessage(response.error)} onRetry={() => response.refetch()} />}
      {data && !model && <Empty />}
      {model && <LoadedMap model={model} />}
      {model && isMissing && <MissingTopicNotice onClose={dismiss} />}
    </main>
  )
}
