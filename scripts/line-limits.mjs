// No source file over 400 lines: one that is longer holds more than one thing.
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"

const LIMIT = 400
const files = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "app", "components", "lib", "worker", "cli", "scripts", "test"],
  { encoding: "utf8" },
)
  .split("\n")
  .filter((f) => /\.(ts|tsx|mjs|css)$/.test(f) && existsSync(f))
const long = files.map((f) => [f, readFileSync(f, "utf8").split("\n").length]).filter(([, n]) => n > LIMIT)
for (const [file, lines] of long)
  console.error(`${file}: ${lines} lines, the limit is ${LIMIT}; split it by what changes together`)
process.exit(long.length ? 1 : 0)
