import http from "node:http"
import { json } from "node:stream/consumers"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { listen } from "#test/fixtures/web.ts"
import {
  closePages,
  expectQuiet,
  openBrowser,
  openPage,
  picture,
  type Service,
  startService,
  type Watch,
  WITHOUT_OPENGL,
} from "./helpers.ts"
import { addWords, expectAccessible, sampleWords } from "./library-helpers.ts"

let service: Service
let browser: Browser
let page: Page
let watch: Watch

beforeAll(async () => {
  const env = { SERVICE_WEBHOOK_ALLOW: "127.0.0.1" }
  ;[service, browser] = await Promise.all([startService(env), openBrowser(WITHOUT_OPENGL)])
})
beforeEach(async () => {
  ;({ page, watch } = await openPage(browser, service.url, { colorScheme: "light" }))
})
afterEach(async () => {
  await page.context().close()
  expectQuiet(watch)
})
afterAll(async () => {
  await closePages(browser)
  await service?.stop()
})

describe("the status page", () => {
  it("shows checks, engines, queues and models", async () => {
    await page.goto(`${service.url}/status`)
    await page.getByRole("heading", { name: "Engines" }).waitFor()
    expect(await page.locator("[data-check=store]").textContent()).toContain("OK")
    await page.getByRole("rowheader", { name: "Transcribing" }).waitFor()
    await page.getByRole("region", { name: "Speech models" }).getByRole("listitem").first().waitFor()
    await expectAccessible(page)
    await picture(page, "status")
  })
  it("creates a webhook, shows its deliveries, sends one again, and enables and deletes it", async () => {
    const received: { id: string | undefined; type: string }[] = []
    let status = 204
    const receiver = http.createServer(async (request, response) => {
      const { type } = (await json(request)) as { type: string }
      received.push({ id: request.headers["webhook-id"] as string, type })
      response.writeHead(status).end()
    })
    const url = `${await listen(receiver)}/hook`
    await page.goto(`${service.url}/status`)
    const webhooks = page.getByRole("region", { name: "Webhooks" })
    await webhooks.getByText("No webhooks.").waitFor()
    await webhooks.getByRole("button", { name: "Create webhook" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Address").fill(url)
    await dialog.getByLabel("Description").fill("A receiver")
    await dialog.getByRole("checkbox", { name: /job.error/ }).uncheck()
    await dialog.getByRole("button", { name: "Create webhook" }).click()
    const secret = await dialog.locator("[data-secret]").textContent()
    expect(secret).toMatch(/^whsec_/)
    await dialog.getByRole("button", { name: "Done" }).click()
    await webhooks.getByText("nothing delivered yet").waitFor()
    expect(await webhooks.getByRole("listitem").innerText()).toMatch(/A receiver\s+http.*\/hook · job\.done · /)

    await addWords(service.url, "Told about", sampleWords())
    await webhooks.getByRole("button", { name: `Deliveries to ${url}` }).click()
    const delivery = dialog.getByRole("listitem")
    await delivery.getByText("delivered", { exact: true }).waitFor()
    expect(await delivery.innerText()).toContain("1 attempt · status 204")
    await delivery.getByText("Payload").click()
    expect(await delivery.locator("pre").innerText()).toContain('"title": "Told about"')
    await expectAccessible(page, "[role=dialog]")
    await picture(page, "deliveries")
    status = 410
    await delivery.getByRole("button", { name: /^Redeliver job.done/ }).click()
    await delivery.getByText("failed", { exact: true }).waitFor()
    expect(received).toEqual([received[0], received[0]])
    expect(received[0]).toEqual({ id: expect.any(String), type: "job.done" })
    await page.keyboard.press("Escape")

    await webhooks.getByText(/^Disabled: .*410/).waitFor()
    await webhooks.getByRole("button", { name: `Enable ${url}` }).click()
    await webhooks.getByRole("button", { name: `Disable ${url}` }).waitFor()
    await webhooks.getByRole("button", { name: `Change ${url}` }).click()
    await dialog.getByRole("checkbox", { name: /clip.deleted/ }).check()
    await dialog.getByRole("button", { name: "Save" }).click()
    await webhooks.getByText("job.done, clip.deleted").waitFor()
    await webhooks.getByRole("button", { name: `Delete ${url}` }).click()
    await dialog.getByRole("button", { name: "Delete webhook" }).click()
    await webhooks.getByText("No webhooks.").waitFor()
    receiver.close()
  })
})
