import { useEffect, useRef } from "react"
import { GUI } from "three/addons/libs/lil-gui.module.min.js"
import { LOOK } from "#components/map/scene/look.ts"
import { CHOICES, navigate, type Parameters } from "./parameters.ts"
import { addressOf, PRESETS } from "./presets.ts"
import { measureScripts, statistics } from "./statistics.ts"
import { listNumbers, setLook, useTunedLook } from "./tuned-look.ts"

const IS_OPEN_KEY = "map-tools-open"
/** Sliders reach from 0 to this many times the default. */
const SLIDER_RANGE = 3

const addPresets = (gui: GUI) => {
  const names = PRESETS.map(({ name }) => name)
  const choice = { preset: "" }
  gui.add(choice, "preset", ["", ...names]).onChange((name: string) => {
    const preset = PRESETS.find((p) => p.name === name)
    const theme = new URLSearchParams(window.location.search).get("theme")
    if (preset) window.location.search = addressOf(preset, theme === "dark" || theme === "light" ? theme : null, true)
  })
}

const addParameters = (gui: GUI, parameters: Parameters) => {
  const folder = gui.addFolder("Page").close()
  const { points, recordings, regions, spread, seed } = parameters
  const counts: Record<string, number> = { points, recordings, regions, spread, seed }
  for (const name of Object.keys(counts))
    folder.add(counts, name, 0).onFinishChange((value: number) => navigate({ [name]: value }))
  const { theme, motion, size, webgl, renderer, scene } = parameters
  const choices: Record<string, string> = { theme, motion, size, webgl, renderer, scene }
  for (const [name, values] of Object.entries(CHOICES))
    if (name in choices) folder.add(choices, name, [...values]).onChange((value: string) => navigate({ [name]: value }))
}

/** Adds a slider for each number of the look, in folders. */
const addSliders = (gui: GUI) => {
  const { changes } = useTunedLook.getState()
  const values: Record<string, number> = { ...Object.fromEntries(listNumbers(LOOK)), ...changes }
  const defaults = Object.fromEntries(listNumbers(LOOK))
  const folders = new Map<string, GUI>()
  const update = () =>
    setLook(Object.fromEntries(Object.entries(values).filter(([path, value]) => value !== defaults[path])))
  const actions = {
    reset() {
      Object.assign(values, defaults)
      for (const controller of gui.controllersRecursive()) controller.updateDisplay()
      update()
    },
    copy: () => navigator.clipboard.writeText(JSON.stringify(useTunedLook.getState().changes, null, 2)),
  }
  for (const [path, value] of listNumbers(LOOK)) {
    const [group, ...rest] = path.split(".")
    const folder = folders.get(group!) ?? gui.addFolder(`Look: ${group}`).close()
    folders.set(group!, folder)
    const max = SLIDER_RANGE * value
    const step = Number.isInteger(value) && value > 3 ? 1 : value / 100
    folder.add(values, path, 0, max, step).name(rest.join(" ")).onChange(update)
  }
  gui.add(actions, "copy").name("Copy changes of the look")
  gui.add(actions, "reset").name("Reset the look")
}

type RenderInfo = {
  render: { calls: number; points: number; lines: number; triangles: number }
  memory: { geometries: number }
  programs: unknown[] | null
}
type SceneWindow = { scene?: { get?(): { gl: { info: RenderInfo } } } }

const mean = (values: readonly number[]): string =>
  values.length === 0 ? "–" : (values.reduce((sum, v) => sum + v, 0) / values.length).toFixed(1)

/** Returns frames and draws of the last second, script times, and what the renderer holds, as text. */
const formatFigures = (frames: number, draws: number, times: ReturnType<ReturnType<typeof measureScripts>>): string => {
  const info = (window as SceneWindow).scene?.get?.().gl.info
  return [
    `${frames} frames/s  ${mean(times.frames)} ms script per frame (max ${Math.max(0, ...times.frames).toFixed(1)})`,
    `${mean(times.hovers)} ms per pointer move  ${draws} draws/s  ${statistics.renders} renders`,
    info
      ? `${info.render.calls} calls  ${info.render.points} points  ${info.render.lines} lines  ${info.render.triangles} triangles  ${info.memory.geometries} geometries  ${info.programs?.length ?? 0} programs`
      : "no WebGL",
  ].join("\n")
}

/** Presets, parameters, sliders and figures, at the bottom of the page. */
export const Tools = ({ parameters }: { parameters: Parameters }) => {
  const panel = useRef<HTMLDivElement>(null)
  const figures = useRef<HTMLPreElement>(null)
  useEffect(() => {
    const gui = new GUI({ container: panel.current!, title: "Tools", width: 340 })
    addPresets(gui)
    addParameters(gui, parameters)
    addSliders(gui)
    gui.open(sessionStorage.getItem(IS_OPEN_KEY) === "true")
    const keepOpenState = () => sessionStorage.setItem(IS_OPEN_KEY, String(!gui._closed))
    gui.domElement.addEventListener("click", keepOpenState)
    return () => gui.destroy()
  }, [parameters])
  useEffect(() => {
    const take = measureScripts()
    let { frames, draws } = statistics
    // A second without frames or pointer moves keeps the times of the last one that had some.
    let times = take()
    const timer = setInterval(() => {
      const next = take()
      times = {
        frames: next.frames.length > 0 ? next.frames : times.frames,
        hovers: next.hovers.length > 0 ? next.hovers : times.hovers,
      }
      if (figures.current)
        figures.current.textContent = formatFigures(statistics.frames - frames, statistics.draws - draws, times)
      ;({ frames, draws } = statistics)
    }, 1000)
    return () => clearInterval(timer)
  }, [])
  return (
    <aside
      aria-label="Tools"
      className="fixed bottom-1 left-1/2 z-50 flex max-h-[80vh] w-[340px] -translate-x-1/2 flex-col overflow-y-auto rounded-sm border border-line bg-panel"
    >
      <div ref={panel} />
      <pre ref={figures} className="px-2 py-1 text-xs leading-4 whitespace-pre-wrap text-muted" />
    </aside>
  )
}
