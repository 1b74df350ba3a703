/// <reference types="vite/client" />

/** A shader that does not compile, or a program that does not link. */
export type ShaderError = {
  readonly material: string
  readonly stage: "vertex" | "fragment" | "linked"
  readonly log: string
  /** The source that was compiled, with what three.js adds. */
  readonly source: string
}

const materialOf = (source: string): string => /#define SHADER_NAME (\S+)/.exec(source)?.[1] ?? "unknown"

/** Logs the errors of a program and shows them on the page of the development server. Set as `renderer.debug.onShaderError`. */
export const reportShaderErrors = (
  gl: WebGLRenderingContext,
  program: WebGLProgram,
  vertex: WebGLShader,
  fragment: WebGLShader,
): void => {
  const sourceOf = (shader: WebGLShader) => gl.getShaderSource(shader) ?? ""
  const inStages = (
    [
      ["vertex", vertex],
      ["fragment", fragment],
    ] as const
  ).flatMap(([stage, shader]): ShaderError[] => {
    if (gl.getShaderParameter(shader, gl.COMPILE_STATUS)) return []
    const source = sourceOf(shader)
    return [{ material: materialOf(source), stage, log: gl.getShaderInfoLog(shader) ?? "", source }]
  })
  const source = sourceOf(fragment)
  const inProgram: ShaderError = {
    material: materialOf(source),
    stage: "linked",
    log: gl.getProgramInfoLog(program) ?? "",
    source,
  }
  for (const error of inStages.length > 0 ? inStages : [inProgram]) {
    console.error(`The ${error.stage} shader of the material "${error.material}" does not compile: ${error.log}`)
    import.meta.hot?.send("scene:shader-error", error)
  }
}
