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
const complainOfFetch = async (error: unknown) =>
  notifyError(`This menu did not come. ${LOAD_FAILURE_MESSAGES[await classifyLoadError(error)]}`)

/**
 * A menu that a button opens: arrows walk it, letters jump in it, Escape leaves it. What it is made of is fetched when
 * the button is approached: a page with a hundred menus starts without one.
 */
export const Menu = (menu: MenuProps) => {
  const [wanted, setWanted] = useState(false)
  const button = cloneElement(menu.trigger as ReactElement<HTMLAttributes<HTMLElement>>, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: () => load().then(() => setWanted(true), complainOfFetch),
    onPointerEnter: preload,
    onFocus: preload,
  })
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <MenuPopup {...menu} />
    </Suspense>
  )
}
