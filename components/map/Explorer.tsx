"use client"
import { useEffect, useMemo, useRef, useState } from "react"
import { errorMessage } from "../api/client.ts"
import { useVizData } from "../api/map.ts"
import { BottomNav } from "../shell/Navigation.tsx"
import { cx } from "../ui/cx.ts"
import { lazyWithRetry } from "../ui/lazy-with-retry.tsx"
import { useDark, usePhone } from "../ui/use-media.ts"
import { Controls } from "./panels/Controls.tsx"
import { Drawer } from "./panels/Drawer.tsx"
import { LassoOutline } from "./panels/LassoOutline.tsx"
import { Legend } from "./panels/Legend.tsx"
import { Marker } from "./panels/Marker.tsx"
import { Fence, Gone, LostScene, NoScene } from "./panels/SceneNotices.tsx"
import { Selection } from "./panels/Selection.tsx"
import { Sidebar } from "./panels/Sidebar.tsx"
import { Empty, Failed, Loading } from "./panels/States.tsx"
import { Timeline } from "./panels/Timeline.tsx"
import { Tooltip } from "./panels/Tooltip.tsx"
import { useMapKeys } from "./panels/use-map-keys.ts"
import { VisibleArea } from "./panels/VisibleArea.tsx"
import { type MapModel, toModel } from "./state/model.ts"
import { NONE, useMap } from "./state/store.ts"
import { useAddress } from "./state/use-address.ts"
import { useGone } from "./state/use-deleted-clips.ts"
import { hasWebgl } from "./state/webgl.ts"

const Scene = lazyWithRetry(() => import("./scene/Scene.tsx").then((m) => m.Scene), { overlay: true })

/** What panels cover of the view, in pixels; on a phone the places of the house lie below. */
const WIDE = { left: 376, right: 64, top: 24, bottom: 24 }
const CLOSED = { left: 24, right: 64, top: 112, bottom: 72 }
const PHONE = { left: 12, right: 52, top: 72, bottom: 122 }
const TIMELINE = 104

/** How far the panels at the sides reach into the view, less what of them the map may show under their rims. */
const PANEL = { list: 356, drawer: 372 }

const Loaded = ({ model }: { model: MapModel }) => {
  const dark = useDark()
  const phone = usePhone()
  const overlay = useRef<HTMLDivElement>(null)
  const tooltip = useRef<HTMLDivElement>(null)
  const marker = useRef<SVGSVGElement>(null)
  const [scene, setScene] = useState<"asking" | "drawn" | "absent" | "lost">("asking")
  const [list, setList] = useState<boolean | null>(null)
  const line = useRef<SVGPolygonElement>(null)
  const topic = useMap((s) => s.selected !== NONE)
  const gathered = useMap((s) => s.chosen !== null)
  const axis = useMap((s) => s.axis)
  const drawer = topic || gathered
  useEffect(() => setScene(hasWebgl() ? "drawn" : "absent"), [])
  useMapKeys(scene === "drawn")

  const bereft = scene === "absent" || scene === "lost"
  const open = list ?? (!phone || bereft)
  const insets = useMemo(() => {
    if (phone && drawer) return { ...PHONE, bottom: Math.round(window.innerHeight * 0.54) + 76 }
    const base = phone ? PHONE : open ? WIDE : CLOSED
    const bottom = base.bottom + (axis ? TIMELINE : 0)
    return { ...base, bottom, ...(drawer && { right: 440 }) }
  }, [phone, open, drawer, axis])
  const bare = !(phone && (drawer || open))
  return (
    <>
      {scene === "drawn" && (
        <section
          aria-label="Map of topics in three dimensions; the list of topics holds the same"
          className="absolute inset-0"
        >
          <VisibleArea left={!phone && open ? PANEL.list : 0} right={!phone && drawer ? PANEL.drawer : 0}>
            <Fence onError={() => setScene("absent")}>
              <Scene
                model={model}
                dark={dark}
                insets={insets}
                labels={phone ? 7 : 16}
                overlay={overlay}
                tooltip={tooltip}
                marker={marker}
                line={line}
                onLost={() => setScene("lost")}
              />
            </Fence>
            <Marker picture={marker} />
            <div ref={overlay} aria-hidden="true" className="pointer-events-none absolute inset-0 overflow-hidden" />
            <LassoOutline line={line} />
          </VisibleArea>
          <Tooltip box={tooltip} />
        </section>
      )}
      <Sidebar
        model={model}
        open={open}
        // A sheet from below leaves no room for the list: what it opened is to be seen on the map.
        aside={phone && drawer && scene === "drawn"}
        above={phone && drawer && bereft}
        onToggle={() => setList(!open)}
        note={
          phone && drawer ? null : scene === "absent" ? (
            <NoScene />
          ) : (
            scene === "lost" && <LostScene onRetry={() => setScene("drawn")} />
          )
        }
      />
      {scene === "drawn" && (
        <>
          {!open && !drawer && !(phone && axis) && (
            <Legend
              model={model}
              className={cx(
                "absolute inset-x-2 bottom-17 md:right-auto md:left-3 md:max-w-[calc(100%-6rem)]",
                axis ? "md:bottom-29" : "md:bottom-3",
              )}
            />
          )}
          {bare && axis && (
            <Timeline
              model={model}
              axis={axis}
              className={cx(
                "absolute inset-x-2 bottom-17 md:bottom-3",
                open ? "md:left-[23.5rem]" : "md:left-3",
                drawer ? "md:right-[27.25rem]" : "md:right-16",
              )}
            />
          )}
          {bare && (
            <Controls
              className={cx(
                "absolute",
                drawer ? "right-96 bottom-3" : "right-2 md:right-3 md:bottom-3",
                !drawer && (axis ? "bottom-43" : "bottom-31"),
              )}
            />
          )}
        </>
      )}
      <BottomNav className="md:hidden" />
      {topic ? <Drawer model={model} /> : gathered && <Selection model={model} />}
    </>
  )
}

/** The page of the map: reads it, then shows it, or says why it cannot. */
export const Explorer = () => {
  const map = useVizData()
  const data = map.data?.data
  const before = useRef<MapModel | null>(null)
  const model = useMemo(() => (data && data.points.length > 0 ? toModel(data, before.current) : null), [data])
  useEffect(() => {
    before.current = model
  }, [model])
  useAddress(model)
  const { gone, dismiss } = useGone(model)
  return (
    <main className="map-ground fixed inset-0 overflow-hidden overscroll-none">
      <h1 className="sr-only">Map of topics</h1>
      {map.isPending && <Loading />}
      {map.isError && !data && <Failed detail={errorMessage(map.error)} onRetry={() => map.refetch()} />}
      {data && !model && <Empty />}
      {model && <Loaded model={model} />}
      {model && gone && <Gone onClose={dismiss} />}
    </main>
  )
}
