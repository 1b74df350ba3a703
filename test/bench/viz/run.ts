import { measure } from "./measure.ts"

/** The measured process. Arguments: WORKER.js FILE.f32 DIMS [OUT.json] */
const [worker, file, dims, out] = process.argv.slice(2)
await measure(worker!, file!, Number(dims), out)
