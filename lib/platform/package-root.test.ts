import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { packageRoot, packageVersion } from "./package-root.ts"

it("the changelog begins with the version of the package", () => {
  const changelog = readFileSync(join(packageRoot(), "CHANGELOG.md"), "utf8")
  expect(/^## (\S+)/m.exec(changelog)?.[1]).toBe(packageVersion())
})
