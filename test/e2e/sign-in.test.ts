import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { closePages, openBrowser, openPage, picture, type Service, startService, WITHOUT_OPENGL } from "./helpers.ts"

const TOKEN = "a token of a test, long enough"
let service: Service
let browser: Browser

beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService({ SERVICE_API_TOKEN: TOKEN }), openBrowser(WITHOUT_OPENGL)])
})
afterAll(async () => {
  await closePages(browser)
  await service?.stop()
})

describe("a service with a token", () => {
  it("asks for the token once, opens the requested page, and signs out", async () => {
    const { page, watch } = await openPage(browser, service.url, { colorScheme: "light" })
    await page.goto(`${service.url}/docs#editClip`)
    expect(new URL(page.url()).pathname).toBe("/login")
    await picture(page, "login")
    await page.getByLabel("Token").fill("a wrong token")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("alert").waitFor()
    expect(await page.getByRole("alert").textContent()).toBe("Wrong token. Check it and try again.")
    await page.getByLabel("Token").fill(TOKEN)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "HTTP API" }).waitFor()
    expect(new URL(page.url()).pathname).toBe("/docs")
    await page.getByRole("link", { name: "AudioJobRequest" }).first().click()
    expect(new URL(page.url()).hash).toBe("#schema-AudioJobRequest")
    await picture(page, "docs")

    await page.goto(service.url)
    await page.getByRole("heading", { name: "Get better results" }).waitFor()
    expect(await page.evaluate("document.cookie")).toBe("")
    await page.getByRole("link", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByLabel("Token").waitFor()
    await page.goto(`${service.url}/viz`)
    expect(new URL(page.url()).pathname).toBe("/login")
    expect(watch.foreign).toEqual([])
    // The browser logs the rejected token.
    expect(watch.errors.filter((e) => !e.includes("401"))).toEqual([])
  })
  it("signs in without scripts", async () => {
    const { page } = await openPage(browser, service.url, { javaScriptEnabled: false })
    await page.goto(`${service.url}/docs`)
    await page.getByLabel("Token").fill(TOKEN)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", { name: "HTTP API" }).waitFor()
  })
})
