import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { describe, expect, it } from "vitest"
import { packageRoot } from "#lib/platform/package-root.ts"

const root = packageRoot()
const guides = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file && !file.startsWith("test/"))

/** The build writes these. */
const GENERATED = /^worker\/(dist|drizzle)\b/

/** Paths of this repository in code spans, without placeholders such as `<noun>`. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:app|cli|components|drizzle|lib|ops|public|scripts|test|worker)\/[\w./[\]-]+)`/g)].map(
    (m) => m[1]!,
  )

const linksIn = (text: string): string[] =>
  [...text.matchAll(/\]\(([^)#\s]+)/g)].map((m) => m[1]!).filter((link) => !/^[a-z]+:/.test(link))

describe("the documentation", () => {
  it.each(guides)("names only files that exist: %s", (guide) => {
    const text = readFileSync(join(root, guide), "utf8")
    const targets = [...pathsIn(text), ...linksIn(text).map((link) => normalize(join(dirname(guide), link)))]
    expect(targets.filter((target) => !GENERATED.test(target) && !existsSync(join(root, target)))).toEqual([])
  })
})
