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
import { computePanelLayout, type SceneStatus } from "./panels/panel-layout.ts"
import {
  ContextLostNotice,
  isWebgl2Supported,
  MissingTopicNotice,
  SceneErrorBoundary,
  WebglMissingNotice,
} from "./panels/SceneNotices.tsx"
import { LassoOutline, Marker, TopicCard } from "./panels/SceneOverlays.tsx"
import { Sidebar } from "./panels/Sidebar.tsx"
import { Timeline } from "./panels/Timeline.tsx"
import { TopicPanel } from "./panels/TopicPanel.tsx"
import { useMapKeys } from "./panels/use-map-keys.ts"
import { useMeasuredAreas } from "./panels/use-measured-areas.ts"
import { type MapModel, toModel } from "./state/model.ts"
import { NONE, useMap } from "./state/store.ts"
import { useMissingTopic } from "./state/use-missing-topic.ts"
import { useUrlState } from "./state/use-url-state.ts"

const Scene = lazyWithRetry(() => import("./scene/Scene.tsx").then((m) => m.Scene), { overlay: true })

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
  const [scene, setScene] = useState<SceneStatus>("checking")
  const [isListWanted, setIsListWanted] = useState<boolean | null>(null)
  const sidePanel = useMap((s) => (s.selected !== NONE ? "topic" : s.collected !== null ? "collection" : null))
  const axis = useMap((s) => s.axis)
  useEffect(() => setScene(isWebgl2Supported() ? "drawn" : "unsupported"), [])
  useMapKeys(scene === "drawn")

  const layout = computePanelLayout({ isPhone, scene, isListWanted, sidePanel, isTimelineOpen: axis !== null })
  const { isListOpen } = layout
  const cells = cellsOf(isListOpen)
  const areas = useMeasuredAreas(view, free, uncovered)
  return (
    <>
      {scene === "drawn" && areas && (
        <section aria-label="3-D map of topics. The list contains the same topics." className="absolute inset-0">
          {/* Anything that moves under a panel would force the browser to composite the panel again in every frame. */}
          <div data-uncovered className="absolute inset-y-0 overflow-hidden" style={areas.covered}>
            <div className="absolute inset-y-0" style={{ left: -areas.covered.left, right: -areas.covered.right }}>
              <SceneErrorBoundary onError={() => setScene("unsupported")}>
                <Scene
                  model={model}
                  dark={isDark}
                  insets={areas.insets}
                  isPhone={isPhone}
                  overlay={overlay}
                  card={card}
                  marker={marker}
                  outline={outline}
                  onContextLost={() => setScene("lost")}
                />
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
          notice={
            layout.notice === "unsupported" ? (
              <WebglMissingNotice />
            ) : layout.notice === "lost" ? (
              <ContextLostNotice onRetry={() => setScene("drawn")} />
            ) : null
          }
        />
        {(layout.hasLegend || layout.hasTimeline) && (
          <div className={cells.foot}>
            {layout.hasLegend && <Legend model={model} />}
            {layout.hasTimeline && axis && <Timeline model={model} axis={axis} />}
          </div>
        )}
        {layout.hasControls && <Controls className={cells.controls} />}
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
