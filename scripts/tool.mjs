// npm run chaos | bench | eval: installs packages and the system programs of the tool, builds if the tool runs the built service,
// and runs the tool.
import { spawn } from "node:child_process"
import { join } from "node:path"
import { buildIfStale } from "./build.mjs"
import { buildKernels } from "./build-kernels.mjs"
import { ensurePackages, ensureSystem, root } from "./setup.mjs"

const TRANSCRIBING = ["ffmpeg", "pocketsphinx_continuous"]
const TOOLS = {
  chaos: () => ({
    file: "test/chaos/run.ts",
    programs: [...TRANSCRIBING, "rabbitmq-server", "pg_ctlcluster", "swift-proxy-server"],
    built: true,
  }),
  eval: () => ({ file: "scripts/eval.ts", programs: [], built: false }),
  bench: (name, ...rest) => ({
    file: "test/bench/main.ts",
    programs:
      {
        pipeline: ["rabbitmq-server"],
        speech: [...TRANSCRIBING, "flite"],
        web: ["chromium-headless-shell"],
        "viz-interactions": ["chromium-headless-shell"],
        "viz-scene": ["chromium-headless-shell"],
      }[name] ?? [],
    built: ["upload", "web"].includes(name) || rest.includes("--hours"),
  }),
}

const [name, ...args] = process.argv.slice(2)
const { file, programs, built } = TOOLS[name](...args)
ensurePackages()
const missing = await ensureSystem(programs)
if (missing.length) process.exit(1)
if (built) await buildIfStale()
else await buildKernels()
const child = spawn(process.execPath, [join(root, "node_modules/tsx/dist/cli.mjs"), file, ...args], {
  cwd: root,
  stdio: "inherit",
})
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
