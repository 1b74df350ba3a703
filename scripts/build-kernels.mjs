// Compiles the map's kernels (lib/map/kernels/assembly, AssemblyScript) to dist/map-kernels.wasm.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { root } from "./setup.mjs"

const SOURCES = join(root, "lib/map/kernels/assembly")
const OUTPUT = join(root, "dist/map-kernels.wasm")
const OPTIONS = ["--optimizeLevel=3", "--noAssert", "--runtime=stub", "--importMemory", "--enable=simd"]

const isStale = () => {
  if (!existsSync(OUTPUT)) return true
  const builtAt = statSync(OUTPUT).mtimeMs
  const inputs = [
    fileURLToPath(import.meta.url),
    join(root, "node_modules/assemblyscript/package.json"),
    ...readdirSync(SOURCES).map((name) => join(SOURCES, name)),
  ]
  return inputs.some((file) => statSync(file).mtimeMs > builtAt)
}

/** Compiles the kernels unless dist/map-kernels.wasm is newer than their sources and their compiler. */
export const buildKernels = async () => {
  if (!isStale()) return
  const { main } = await import("assemblyscript/asc")
  const written = new Map()
  const { error, stderr } = await main(["index.ts", "--outFile=kernels.wasm", ...OPTIONS], {
    readFile: (name) => {
      const file = join(SOURCES, name)
      return existsSync(file) ? readFileSync(file, "utf8") : null
    },
    writeFile: (name, contents) => void written.set(name, contents),
    listFiles: () => [],
  })
  if (error) throw new Error(`Couldn't compile the map's kernels: ${error.message}\n${stderr.toString()}`)
  mkdirSync(join(root, "dist"), { recursive: true })
  // Another process may be loading the file, or compiling it too.
  const temporary = `${OUTPUT}.${process.pid}`
  writeFileSync(temporary, written.get("kernels.wasm"))
  renameSync(temporary, OUTPUT)
}

/** Vitest's global setup. */
export const setup = buildKernels
