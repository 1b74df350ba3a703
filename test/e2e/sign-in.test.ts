import { describe, expect } from "vitest"
import { openPage, picture } from "./helpers.ts"
import { it, TOKEN } from "./shared-service.ts"

describe("a service with a token", () => {
  it("asks for the token once, opens the requested page, and signs out", async ({ browser, tokenService }) => {
    const { page, watch } = await openPage(browser, tokenService.url, { colorScheme: "light" })
    await page.goto(`${tokenService.url}/docs#editClip`)
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

    await page.goto(tokenService.url)
    await page.getByRole("button", { name: "Add a recording" }).first().waitFor()
    expect(await page.evaluate("document.cookie")).toBe("")
    await page.getByRole("link", { name: "Sign out" }).click()
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.getByLabel("Token").waitFor()
    await page.goto(`${tokenService.url}/viz`)
    expect(new URL(page.url()).pathname).toBe("/login")
    expect(watch.foreign).toEqual([])
    // The browser logs the rejected token.
    expect(watch.errors.filter((e) => !e.includes("401"))).toEqual([])
  })
  it("signs in without scripts", async ({ browser, tokenService }) => {
    const { page } = await openPage(browser, tokenService.url, { javaScriptEnabled: false })
    await page.goto(`${tokenService.url}/docs`)
    await page.getByLabel("Token").fill(TOKEN)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", { name: "HTTP API" }).waitFor()
  })
})
