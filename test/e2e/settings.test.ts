import http from "node:http"
import { json } from "node:stream/consumers"
import { describe, expect } from "vitest"
import { listen } from "#test/fixtures/web.ts"
import { picture } from "./helpers.ts"
import { addWords, expectAccessible, sampleWords } from "./library-helpers.ts"
import { it } from "./shared-service.ts"

describe("the settings page", () => {
  it("has a section for everything, and is where the address of the status page leads", async ({ page, watch }) => {
    await page.goto("/status")
    await page.waitForURL("/settings/system")
    await page.getByText(/^All \d parts work/).click()
    expect(await page.locator("[data-check=store]").textContent()).toContain("OK")
    await picture(page, "settings-system")
    const nav = page.getByRole("navigation", { name: "Settings" })
    await nav.getByRole("link", { name: "Queue" }).click()
    await page.getByText("Nothing is being processed.").waitFor()
    await nav.getByRole("link", { name: "Models" }).click()
    await page.getByRole("region", { name: "Speech models" }).getByRole("listitem").first().waitFor()
    await page.getByText(/^Models take/).waitFor()
    await expectAccessible(page)
    await picture(page, "settings-models")
    expect((await page.goto("/settings/nothing"))!.status()).toBe(404)
    watch.errors.length = 0
  })

  it("keeps a vocabulary of names and terms", async ({ page }) => {
    await page.goto("/settings/vocabulary")
    await page.getByLabel("Name or term").fill("Kubernetes")
    await page.getByLabel(/^Written instead/).fill("cuban eddies, cooper netties")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    const entries = page.getByRole("list", { name: "Entries" })
    await entries.getByText("instead of cuban eddies, cooper netties").waitFor()
    await expectAccessible(page)
    await picture(page, "settings-vocabulary")
    await page.getByRole("button", { name: "Remove Kubernetes" }).click()
    await page.getByText("No entries yet.").waitFor()
    await page.getByRole("button", { name: "Undo" }).click()
    await entries.getByText("Kubernetes", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Remove Kubernetes" }).click()
    await page.getByText("No entries yet.").waitFor()
  })

  it("chooses and tests engines", async ({ page }) => {
    await page.goto("/settings")
    const similarity = page.getByRole("region", { name: "Similarity" })
    await similarity.getByRole("radio", { name: "Built in" }).waitFor()
    await page.getByText("The setting SERVICE_PROVIDER determines this engine.").waitFor()
    await similarity.getByRole("button", { name: "Test Built in" }).click()
    await similarity.getByText(/Computed vectors of words with 768 dimensions/).waitFor()
    const speech = page.getByRole("region", { name: "Transcription" })
    await speech.getByRole("button", { name: "Test PocketSphinx" }).click()
    await speech.getByText(/^Transcribed five seconds with/).waitFor({ timeout: 60_000 })
    await expectAccessible(page)
    await picture(page, "settings-engines")
  })

  it("changes the theme of all pages, also before their scripts run", async ({ page, service }) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const theme = (name: string) => page.getByRole("group", { name: "Theme" }).getByText(name, { exact: true })
    const [light, dark] = ["rgb(246, 243, 236)", "rgb(12, 14, 17)"]
    await page.goto("/settings/appearance")
    expect(await ground()).toBe(light)
    await theme("Dark").click()
    expect(await ground()).toBe(dark)
    await expectAccessible(page)
    await picture(page, "settings-appearance")
    expect(await (await page.request.get(`${service.url}/`)).text()).toContain('data-theme="dark"')
    await page.goto("/ask")
    expect(await ground()).toBe(dark)
    await page.goto("/settings/appearance")
    await theme("System").click()
    expect(await ground()).toBe(light)
    await page.emulateMedia({ colorScheme: "dark" })
    expect(await ground()).toBe(dark)
    await theme("Light").click()
    expect(await ground()).toBe(light)
  })

  it("creates a webhook, shows its deliveries, sends one again, and enables and deletes it", async ({
    page,
    service,
  }) => {
    const received: { id: string | undefined; type: string }[] = []
    let status = 204
    const receiver = http.createServer(async (request, response) => {
      const { type } = (await json(request)) as { type: string }
      received.push({ id: request.headers["webhook-id"] as string, type })
      response.writeHead(status).end()
    })
    const url = `${await listen(receiver)}/hook`
    await page.goto("/settings/webhooks")
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

describe("models", () => {
  it("download with progress, and show why a download failed", async ({ page, modelHost }) => {
    const tokens = modelHost.files.get("tiny-tokens.txt")!
    modelHost.files.delete("tiny-tokens.txt")
    await page.goto("/settings/models")
    const model = page.locator('[data-model="whisper-tiny"]')
    await page.getByText(/^Models take/).waitFor()
    if (!(await model.isVisible()))
      await page
        .getByText(/models to download$/)
        .first()
        .click()
    await model.getByRole("button", { name: "Download" }).click()
    await model.getByRole("alert").waitFor({ timeout: 30_000 })
    modelHost.files.set("tiny-tokens.txt", tokens)
    const release = modelHost.hold("tiny-tokens.txt")
    await model.getByRole("button", { name: "Resume" }).click()
    await model.getByRole("progressbar", { name: "Downloading whisper-tiny" }).waitFor()
    expect(await model.getByRole("button", { name: "Downloading" }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await picture(page, "model-coming")
    release()
    await model.getByText("· installed").waitFor({ timeout: 30_000 })
    await model.getByRole("button", { name: "Delete whisper-tiny" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete model" }).click()
    await model.getByText("· installed").waitFor({ state: "detached" })
  })
})
