// npm run test:servers [vitest arguments]: runs Earmark against llama.cpp's and whisper.cpp's servers, with models that the
// tests write. The programs are found in PATH or named by LLAMA_SERVER and WHISPER_SERVER.
import { spawn, spawnSync } from "node:child_process"
import { join } from "node:path"
import { buildIfStale } from "./build.mjs"
import { ensurePackages, ensureSystem, root } from "./setup.mjs"

const PROGRAMS = [
  { variable: "LLAMA_SERVER", name: "llama-server", package: "llama.cpp-tools", brew: "llama.cpp" },
  { variable: "WHISPER_SERVER", name: "whisper-server", package: "whisper.cpp", brew: "whisper-cpp" },
]

ensurePackages()
const missing = PROGRAMS.filter(({ variable, name }) => {
  const { error } = spawnSync(process.env[variable] ?? name, ["--help"], { stdio: "ignore" })
  return error !== undefined
})
for (const { variable, name, package: debian, brew } of missing)
  console.error(
    `${process.env[variable] ?? name} cannot be run. Install it (Debian 14 or sid: apt-get install ${debian}; macOS: brew install ${brew}), or set ${variable} to its path.`,
  )
if (missing.length > 0) process.exit(1)
if ((await ensureSystem(["ffmpeg"])).length > 0) process.exit(1)
await buildIfStale()
const vitest = join(root, "node_modules/vitest/vitest.mjs")
const child = spawn(process.execPath, [vitest, "run", "--project", "servers", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, EARMARK_TEST_BUILT: "1" },
})
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => child.kill(signal))
child.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
