"use client"
import { type ComponentType, cloneElement, type HTMLAttributes, type ReactElement, useEffect, useState } from "react"
import { classifyLoadError, LOAD_FAILURE_MESSAGES } from "./chunk-load-error.ts"
import type { MenuProps } from "./MenuParts.tsx"
import { notifyError } from "./toast-queue.ts"

type MenuCode = typeof import("./MenuParts.tsx")

/** The code of the menus, once it is loaded. `React.lazy` would show each part up to 300 ms later, one after the other. */
let code: MenuCode | null = null

const load = async (): Promise<void> => {
  code ??= await import("./MenuParts.tsx")
}

/** Returns a part of the menus. Menus render their items only once the code is loaded. */
const whenLoaded =
  <Props extends object>(select: (code: MenuCode) => ComponentType<Props>) =>
  (props: Props) => {
    const Part = code && select(code)
    return Part && <Part {...props} />
  }

export const MenuItem = whenLoaded((parts) => parts.MenuItem)
export const MenuLink = whenLoaded((parts) => parts.MenuLink)
export const MenuGroup = whenLoaded((parts) => parts.MenuGroup)
export const MenuSeparator = whenLoaded((parts) => parts.MenuSeparator)

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
  return isRequested && code ? <code.MenuPopup {...menu} /> : button
}
