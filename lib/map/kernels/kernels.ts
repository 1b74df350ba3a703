import { readFileSync } from "node:fs"
import { join } from "node:path"
import { packageRoot } from "../../platform/package-root.ts"

/** The functions of `assembly/`, which describes their parameters. Addresses are byte offsets in the memory. */
type Kernels = {
  multiplyPanel(panel: number, rowAddresses: number, out: number, rowPairs: number, rowBytes: number): void
  multiplyRow(query: number, rowAddresses: number, out: number, rows: number, rowBytes: number): void
  findPairs(
    queries: number,
    rows: number,
    packBytes: number,
    queryThresholds: number,
    rowThresholds: number,
    out: number,
    first: number,
    end: number,
  ): number
  runEpoch(
    links: number,
    linksEnd: number,
    points: number,
    epoch: number,
    rate: number,
    pointsPerRandom: number,
    lastPoint: number,
  ): void
}

const PAGE_BYTES = 65_536

let compiled: WebAssembly.Module | null = null

const loadModule = (): WebAssembly.Module =>
  new WebAssembly.Module(readFileSync(join(packageRoot(), "dist/map-kernels.wasm")))

/** Instantiates the kernels over a new memory of at least `bytes` bytes, filled with zeros. */
export const openKernels = (bytes: number): { readonly buffer: ArrayBuffer; readonly kernels: Kernels } => {
  compiled ??= loadModule()
  const memory = new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE_BYTES)) })
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } })
  return { buffer: memory.buffer, kernels: exports as Kernels }
}
