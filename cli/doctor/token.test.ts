import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { loadConfig } from "#lib/platform/config/config.ts"
import { addTokenLine, saveNewToken } from "../commands/token.ts"
import { checkToken, findOtherUsers } from "./token.ts"

const PASSWD = `root:x:0:0:root:/root:/bin/bash
daemon:x:1:1::/usr/sbin:/usr/sbin/nologin
ada:x:1000:1000:Ada:/home/ada:/bin/bash
grace:x:1001:1001:Grace:/home/grace:/bin/zsh
backup:x:1002:1002::/home/backup:/usr/sbin/nologin
nobody:x:65534:65534::/nonexistent:/bin/sh
`

it("finds the accounts of other people", () => {
  expect(findOtherUsers(PASSWD, 1000)).toEqual(["grace"])
  expect(findOtherUsers(PASSWD, 0)).toEqual(["ada", "grace"])
  expect(findOtherUsers("", 0)).toEqual([])
})

it("warns about a service without a token on a machine with other users", () => {
  const open = loadConfig({})
  expect(checkToken(open, 0, ["grace"])).toMatchObject({
    state: "warn",
    detail: expect.stringContaining("grace"),
    fix: expect.stringContaining("npx earmark tokens create"),
  })
  expect(checkToken(open, 0, []).state).toBe("ok")
  expect(checkToken(open, 1, ["grace"])).toMatchObject({ state: "ok", detail: "every request needs an API token" })
  expect(checkToken(loadConfig({ SERVICE_API_TOKEN: "sixteen letters!" }), 0, ["grace"]).state).toBe("ok")
})

it("adds a token to the settings, in place of an empty one", () => {
  expect(addTokenLine("", "abc")).toBe("SERVICE_API_TOKEN=abc\n")
  expect(addTokenLine("SERVICE_PORT=1", "abc")).toBe("SERVICE_PORT=1\nSERVICE_API_TOKEN=abc\n")
  expect(addTokenLine("SERVICE_API_TOKEN=\nSERVICE_PORT=1\n", "abc")).toBe("SERVICE_PORT=1\nSERVICE_API_TOKEN=abc\n")
  expect(addTokenLine("#SERVICE_API_TOKEN=\n", "abc")).toBe("#SERVICE_API_TOKEN=\nSERVICE_API_TOKEN=abc\n")
})

it("saves a token that the service accepts, in a file that only its owner can read", () => {
  const dir = mkdtempSync(join(tmpdir(), "earmark-token-"))
  const file = join(dir, ".env")
  writeFileSync(file, "SERVICE_PORT=8001\n", { mode: 0o644 })
  const token = saveNewToken(file)
  expect(readFileSync(file, "utf8")).toBe(`SERVICE_PORT=8001\nSERVICE_API_TOKEN=${token}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(loadConfig({ SERVICE_API_TOKEN: token }).http.token).toBe(token)
  expect(saveNewToken(join(dir, "other.env"))).not.toBe(token)
  rmSync(dir, { recursive: true, force: true })
})
