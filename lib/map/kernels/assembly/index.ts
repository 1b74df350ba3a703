// The WebAssembly module of the map. It is AssemblyScript, a subset of TypeScript with the machine's number types:
// https://www.assemblyscript.org. `scripts/build-kernels.mjs` compiles it to dist/map-kernels.wasm.
export { multiplyPanel, multiplyRow } from "./dot-products"
export { findPairs } from "./int16-products"
export { runEpoch } from "./umap-epoch"
