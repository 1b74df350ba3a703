import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { packageRoot } from "#lib/platform/package-root.ts"
import { startService } from "../../e2e/helpers.ts"

/** Runs the examples of docs/sdk.md with the built package. */
const guide = readFileSync(join(packageRoot(), "docs/sdk.md"), "utf8")
const [inProcess, overHttp] = [...guide.matchAll(/```js\n([\s\S]*?)```/g)].map((found) => found[1]!)
const dir = mkdtempSync(join(tmpdir(), "earmark-guide-"))
let service: Awaited<ReturnType<typeof startService>>

beforeAll(async () => {
  service = await startService()
})
afterAll(async () => {
  await service?.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** A package can import its own exports by its name. */
const run = async (script: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: packageRoot(),
    env: {
      PATH: process.env.PATH,
      NODE_ENV: process.env.NODE_ENV,
      HOME: dir,
      SERVICE_DATA_DIR: join(dir, "data"),
      SERVICE_MODELS_OFFLINE: "true",
      EARMARK_URL: service.url,
    },
  })
  return stdout
}

describe("docs/sdk.md", () => {
  it("has a working in-process example", async () => {
    const output = await run(inProcess!)
    expect(output).toMatch(/Its mast is of spruce\. \[1\].*source: 1, start_s: 4 /s)
    expect(output).toMatch(/^forbidden '\/etc\/hostname' is outside/m)
  })
  it("has a working HTTP example", async () => {
    const output = await run(overHttp!)
    expect(output).toMatch(/^done done$/m)
    expect(output).toContain("The boat 1\nWe tarred the hull of the boat in May")
    expect(output).toContain("404 unknown clip 'nobody'")
  })
})
