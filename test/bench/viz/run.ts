import { measure } from "./measure.ts"

/** The process whose time and memory count: built code on bare Node, as the service is. WORKER.js FILE.f32 DIMS [OUT.json] */
const [worker, file, dims, out] = process.argv.slice(2)
await measure(worker!, file!, Number(dims), out)
