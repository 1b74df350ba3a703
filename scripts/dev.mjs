// npm run dev: serves pages with hot reload. Bundles server, workers and command line again after each change and restarts
// them.
import { spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { ensurePackages, root } from "./setup.mjs"

ensurePackages()
const { context } = await import("esbuild")
const { bundleOptions } = await import("./bundle.mjs")
const { buildKernels } = await import("./build-kernels.mjs")

let child
let restarting = false
const start = () => {
  child = spawn(process.execPath, ["--enable-source-maps", join(root, "dist/cli.js"), "serve", "--dev"], {
    stdio: "inherit",
  })
  child.once("exit", (code) => {
    if (restarting) {
      restarting = false
      start()
    } else process.exit(code ?? 0)
  })
}
const onRebuild = {
  name: "restart",
  setup(build) {
    build.onEnd(({ errors }) => {
      if (errors.length) return // esbuild has printed the errors; keep the old processes running
      if (!child) return start()
      process.stderr.write("Sources changed. Restarting server and workers …\n")
      restarting = true
      child.kill("SIGTERM")
    })
  },
}
// dist/ no longer contains a production build, so make `npm start` build again.
rmSync(join(root, "dist/.built"), { force: true })
await buildKernels()
const watcher = await context({ ...bundleOptions(), plugins: [onRebuild] })
await watcher.watch()
const stop = (signal) => {
  restarting = false
  child?.kill(signal)
}
process.on("SIGTERM", () => stop("SIGTERM"))
process.on("SIGINT", () => {})
