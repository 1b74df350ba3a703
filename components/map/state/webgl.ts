/** Whether this browser can draw the scene: it needs WebGL 2. */
export const hasWebgl = (): boolean => {
  try {
    const context = document.createElement("canvas").getContext("webgl2")
    context?.getExtension("WEBGL_lose_context")?.loseContext()
    return context !== null
  } catch {
    return false
  }
}
