// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react"
import { afterEach, expect, it } from "vitest"
import { setTheme, useTheme } from "./theme.ts"
import { useDark } from "./use-media.ts"

afterEach(() => {
  cleanup()
  setTheme("system")
})

const Shown = () => <p>{`${useTheme()} ${useDark()}`}</p>

it("changes the theme of the page at once, and keeps it in a cookie for the server", async () => {
  render(<Shown />)
  expect(screen.getByText("system false")).toBeTruthy()
  await act(async () => setTheme("dark"))
  expect(await screen.findByText("dark true")).toBeTruthy()
  expect([document.documentElement.dataset.theme, document.cookie]).toEqual([
    "dark",
    expect.stringContaining("earmark_theme=dark"),
  ])
  await act(async () => setTheme("system"))
  expect(await screen.findByText("system false")).toBeTruthy()
  expect([document.documentElement.dataset.theme, document.cookie]).toEqual([undefined, ""])
})
