"use client"
import { cloneElement, type HTMLAttributes, lazy, type ReactElement, Suspense, useEffect, useState } from "react"
import { classifyLoadError, LOAD_FAILURE_MESSAGES } from "./chunk-load-error.ts"
import type { MenuProps } from "./MenuParts.tsx"
import { notifyError } from "./toast-queue.ts"

const load = () => import("./MenuParts.tsx")
const MenuPopup = lazy(() => load().then((m) => ({ default: m.MenuPopup })))
export const MenuItem = lazy(() => load().then((m) => ({ default: m.MenuItem })))
export const MenuLink = lazy(() => load().then((m) => ({ default: m.MenuLink })))
export const MenuGroup = lazy(() => load().then((m) => ({ default: m.MenuGroup })))
export const MenuSeparator = lazy(() => load().then((m) => ({ default: m.MenuSeparator })))

/** The menus are loaded after this time even if the page is not idle. */
const IDLE_TIMEOUT_MS = 500

const preload = () => void load().catch(() => undefined)
/** What people do before they open a menu. */
const SIGNS_OF_USE = ["pointermove", "pointerdown", "keydown"] as const

let isWaitingForUse = false

/** Loads the code of the menus when the page is used for the first time and is then idle, so that the first one opens at once. */
const preloadOnUse = (): void => {
  if (isWaitingForUse) return
  isWaitingForUse = true
  const onUse = () => {
    for (const type of SIGNS_OF_USE) window.removeEventListener(type, onUse)
    // Safari has no requestIdleCallback.
    if (typeof window.requestIdleCallback === "function")
      window.requestIdleCallback(preload, { timeout: IDLE_TIMEOUT_MS })
    else setTimeout(preload, IDLE_TIMEOUT_MS)
  }
  for (const type of SIGNS_OF_USE) window.addEventListener(type, onUse, { passive: true })
}

const notifyLoadError = async (error: unknown) =>
  notifyError(`Couldn't open the menu. ${LOAD_FAILURE_MESSAGES[await classifyLoadError(error)]}`)

/**
 * A button that opens a menu. The menu code is loaded when the page is used for the first time, or the button is hovered,
 * focused or clicked, so that a page with a hundred menus starts quickly.
 */
export const Menu = (menu: MenuProps) => {
  const [isRequested, setRequested] = useState(false)
  useEffect(preloadOnUse, [])
  const button = cloneElement(menu.trigger as ReactElement<HTMLAttributes<HTMLElement>>, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: () => load().then(() => setRequested(true), notifyLoadError),
    onPointerEnter: preload,
    onFocus: preload,
  })
  if (!isRequested) return button
  return (
    <Suspense fallback={button}>
      <MenuPopup {...menu} />
    </Suspense>
  )
}
