// A Vite plugin that shows shader errors of the page in Vite's error overlay, with the file and line of the source.
import { readFileSync } from "node:fs"

const CONTEXT_LINES = 3

const trimLines = (text) => text.split("\n").map((line) => line.trim())

/**
 * Returns the number of the line in `file` that became line `line` of a compiled shader, or null if there is none. Both
 * numbers start at 1. Of several equal lines, the one with the most equal neighbors is meant.
 */
export const findSourceLine = (file, shader, line) => {
  const [fileLines, shaderLines] = [trimLines(file), trimLines(shader)]
  const wanted = shaderLines[line - 1]
  const countEqualNeighbors = (at) => {
    let equal = 0
    for (let offset = -CONTEXT_LINES; offset <= CONTEXT_LINES; offset++)
      if (fileLines[at + offset] !== undefined && fileLines[at + offset] === shaderLines[line - 1 + offset]) equal++
    return equal
  }
  const candidates = [...fileLines.keys()].filter((at) => wanted && fileLines[at] === wanted)
  if (candidates.length === 0) return null
  return candidates.sort((a, b) => countEqualNeighbors(b) - countEqualNeighbors(a))[0] + 1
}

const frameAt = (file, line) =>
  file
    .split("\n")
    .map((text, i) => `${i + 1} ${i + 1 === line ? ">" : "|"} ${text}`)
    .slice(Math.max(0, line - 1 - CONTEXT_LINES), line + CONTEXT_LINES)
    .join("\n")

/** Converts an error that scripts/dev-viz/report-shader-errors.ts reports to one that Vite shows. */
const toOverlayError = (path, { material, stage, log, source }) => {
  const [, line, reason] = /ERROR: \d+:(\d+): (.*)/.exec(log) ?? []
  const file = readFileSync(path, "utf8")
  const at = line ? findSourceLine(file, source, Number(line)) : null
  return {
    plugin: "shader",
    message: `The ${stage} shader of the material "${material}" does not compile: ${reason ?? log}`,
    stack: "",
    id: path,
    ...(at && { loc: { file: path, line: at, column: 0 }, frame: frameAt(file, at) }),
  }
}

export const shaderErrors = (path) => ({
  name: "shader-errors",
  configureServer(server) {
    server.ws.on("scene:shader-error", (report, client) => {
      const err = toOverlayError(path, report)
      server.config.logger.error(`${err.message}${err.loc ? `\n${path}:${err.loc.line}\n${err.frame}` : ""}`)
      client.send({ type: "error", err })
    })
  },
})
