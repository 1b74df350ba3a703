import { describe, expect } from "vitest"
import { createClient } from "#lib/api/client/index.ts"
import { startCuttingProxy } from "#test/fixtures/cutting-proxy.ts"
import { openPage } from "./helpers.ts"
import { addSample } from "./library-helpers.ts"
import { it } from "./shared-service.ts"

/** A recording that tests only read. */
let boat: string

it.beforeAll(async ({ service }) => {
  boat = await addSample(service.url, "A boat, bees and a comet")
})

describe("without the service", () => {
  it("a recording that was opened before can be read, and another page says why it cannot", async ({
    browser,
    service,
  }) => {
    const proxy = await startCuttingProxy(Number(new URL(service.url).port))
    const { page: visitor } = await openPage(browser, proxy.endpoint, { serviceWorkers: "allow" })
    // The recording is requested before the worker is active and arrives after it.
    await visitor.route(`**/clips/${boat}?*`, async (route) => {
      await visitor.waitForFunction(() => navigator.serviceWorker.controller !== null)
      await route.continue()
    })
    await visitor.goto(`${proxy.endpoint}/library/${boat}`)
    await visitor.getByRole("region", { name: "Transcript" }).locator("p").first().waitFor()
    // The worker has stored the page, the recording, its regions and the scripts of its first visit.
    const stored = (name: string) =>
      visitor.evaluate(
        async (cache) => (await (await caches.open(cache)).keys()).map((request) => new URL(request.url).pathname),
        name,
      )
    await expect
      .poll(() => stored("pages-1"), { timeout: 20_000 })
      .toEqual(expect.arrayContaining([`/.page/library/${boat}`, `/clips/${boat}`, `/clips/${boat}/regions`]))
    await expect.poll(async () => (await stored("static-1")).length, { timeout: 20_000 }).toBeGreaterThan(5)
    await visitor.unrouteAll({ behavior: "ignoreErrors" })
    await proxy.close()
    await visitor.goto(`${proxy.endpoint}/library/${boat}?t=51`)
    await visitor.getByRole("region", { name: "Transcript" }).locator("p").first().waitFor()
    await visitor.goto(`${proxy.endpoint}/library/never-opened`)
    await visitor.getByRole("heading", { name: "Earmark can't be reached" }).waitFor()
    await visitor.context().close()
  })
})

describe("what another app shares", () => {
  it("becomes a job, whose page opens", async ({ browser, service }) => {
    const { page: visitor } = await openPage(browser, service.url, { serviceWorkers: "allow" })
    await visitor.goto(`${service.url}/share`)
    await visitor.getByRole("heading", { name: "Nothing to add" }).waitFor()
    await visitor.waitForFunction(() => navigator.serviceWorker.controller !== null)
    // As the system sends it: a form that opens the page.
    await visitor.evaluate(() => {
      const form = document.createElement("form")
      Object.assign(form, { method: "post", action: "/share", enctype: "multipart/form-data" })
      const files = Object.assign(document.createElement("input"), { type: "file", name: "files" })
      const transfer = new DataTransfer()
      transfer.items.add(new File([new TextEncoder().encode("RIFF....WAVE.")], "memo.wav"))
      files.files = transfer.files
      form.append(files)
      document.body.append(form)
      form.submit()
    })
    await visitor.waitForURL(/\/library\/[0-9a-f-]{36}/)
    // The file has no sound, so its job fails; the page of the recording says so and can remove it.
    await visitor.getByRole("button", { name: "Remove" }).waitFor({ timeout: 30_000 })
    const id = new URL(visitor.url()).pathname.split("/").at(-1)!
    await createClient({ baseUrl: service.url }).deleteClip(id)
    await visitor.context().close()
  })
})
