"use client"
import { cloneElement, type HTMLAttributes, lazy, type ReactElement, Suspense, useState } from "react"
import { classifyLoadError, LOAD_FAILURE_MESSAGES } from "./chunk-load-error.ts"
import type { MenuProps } from "./MenuParts.tsx"
import { notifyError } from "./toast-queue.ts"

const load = () => import("./MenuParts.tsx")
const MenuPopup = lazy(() => load().then((m) => ({ default: m.MenuPopup })))
export const MenuItem = lazy(() => load().then((m) => ({ default: m.MenuItem })))
export const MenuLink = lazy(() => load().then((m) => ({ default: m.MenuLink })))
export const MenuGroup = lazy(() => load().then((m) => ({ default: m.MenuGroup })))
export const MenuSeparator = lazy(() => load().then((m) => ({ default: m.MenuSeparator })))

const preload = () => void load().catch(() => undefined)
const notifyLoadError = async (error: unknown) =>
  notifyError(`Couldn't open the menu. ${LOAD_FAILURE_MESSAGES[await classifyLoadError(error)]}`)

/**
 * A button that opens a menu. The menu code is loaded when the button is hovered, focused or clicked, so that a page with a
 * hundred menus starts quickly.
 */
export const Menu = (menu: MenuProps) => {
  const [isRequested, setRequested] = useState(false)
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
