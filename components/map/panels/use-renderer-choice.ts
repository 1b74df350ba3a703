"use client"
import { useEffect, useState } from "react"

/** Why the map is drawn flat although nobody asked for it. */
export type FlatReason = "no-webgl" | "failed" | "lost"

/** What draws the map: WebGL in space, a 2-D canvas in a plane, or nothing. */
export type RendererChoice =
  | { readonly kind: "checking" | "webgl" | "none" }
  | { readonly kind: "flat"; readonly reason: FlatReason | null }

/** The parameter of the address that chooses the flat map in any browser. */
const PARAMETER = "renderer"

const isWebgl2Supported = (): boolean => {
  try {
    const context = document.createElement("canvas").getContext("webgl2")
    context?.getExtension("WEBGL_lose_context")?.loseContext()
    return context !== null
  } catch {
    return false
  }
}

/** Returns what can draw the map in this browser. */
export const chooseRenderer = (): RendererChoice => {
  if (new URLSearchParams(window.location.search).get(PARAMETER) === "flat") return { kind: "flat", reason: null }
  return isWebgl2Supported() ? { kind: "webgl" } : { kind: "flat", reason: "no-webgl" }
}

/**
 * Chooses what draws the map: WebGL if the browser has it, unless the address says `renderer=flat`. A scene that fails or loses its
 * context is replaced by the flat map until `retry` is called.
 */
export const useRendererChoice = () => {
  const [choice, setChoice] = useState<RendererChoice>({ kind: "checking" })
  useEffect(() => setChoice(chooseRenderer()), [])
  return {
    choice,
    retry: () => setChoice(chooseRenderer()),
    onSceneFailed: () => setChoice({ kind: "flat", reason: "failed" }),
    onContextLost: () => setChoice({ kind: "flat", reason: "lost" }),
    onFlatFailed: () => setChoice({ kind: "none" }),
  }
}
