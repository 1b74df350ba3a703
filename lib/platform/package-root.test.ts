import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { packageRoot, packageVersion } from "./package-root.ts"

describe("the changelog", () => {
  const changelog = readFileSync(join(packageRoot(), "CHANGELOG.md"), "utf8")
  const [unreleased, ...released] = changelog.split(/^## /m).slice(1)

  it("begins with what is unreleased, and then has the version of the package with its date", () => {
    expect(unreleased).toMatch(/^Unreleased\n/)
    const [, version, date] = /^(\S+) — (\S+)\n/.exec(released[0]!)!
    expect(version).toBe(packageVersion())
    expect(new Date(date!).toISOString().slice(0, 10)).toBe(date)
  })

  it("lists the changes of behavior of the version", () => {
    const changes = /^### Changes of behavior\n([\s\S]*?)^### /m.exec(released[0]!)![1]!
    for (const field of [
      "whisper_model",
      "transcription",
      "similarity",
      "distance_threshold",
      "SERVICE_MAX_DEFER_HOURS",
    ])
      expect(changes).toContain(`\`${field}\``)
  })
})
