import type { Page } from "playwright-core"
import type { Service } from "./helpers.ts"
import { addSample } from "./library-helpers.ts"

export const transcriptOf = (page: Page) => page.getByRole("region", { name: "Transcript" })
export const positionOf = (page: Page) => page.getByRole("slider", { name: "Playback position" })
export const readSecond = async (page: Page) => Number(await positionOf(page).getAttribute("aria-valuenow"))

/** Opens the page of a recording and waits for its transcript. */
export const openRecording = async (page: Page, id: string): Promise<void> => {
  await page.goto(`/library/${id}`)
  await transcriptOf(page).locator("p").first().waitFor()
}

/** Adds the sample under a title and opens its page. @returns the ID of the recording */
export const openNewRecording = async (page: Page, service: Service, title: string): Promise<string> => {
  const id = await addSample(service.url, title)
  await openRecording(page, id)
  return id
}

/** Seeks to the start of the transcript: the page renders only the visible paragraphs. */
export const seekToStart = async (page: Page): Promise<void> => {
  await positionOf(page).focus()
  await page.keyboard.press("Home")
  await page.keyboard.press("ArrowRight")
  await page.getByRole("button", { name: "Go to 0:00" }).first().waitFor()
}
