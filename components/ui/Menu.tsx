"use client"
import { cloneElement, type HTMLAttributes, lazy, type ReactElement, Suspense, useState } from "react"
import { ABSENCES, absenceOf } from "./load-error.ts"
import type { MenuProps } from "./MenuParts.tsx"
import { complain } from "./messages.ts"

const load = () => import("./MenuParts.tsx")
const MenuPopup = lazy(() => load().then((m) => ({ default: m.MenuPopup })))
export const MenuItem = lazy(() => load().then((m) => ({ default: m.MenuItem })))
export const MenuLink = lazy(() => load().then((m) => ({ default: m.MenuLink })))
export const MenuGroup = lazy(() => load().then((m) => ({ default: m.MenuGroup })))
export const MenuLine = lazy(() => load().then((m) => ({ default: m.MenuLine })))

const approach = () => void load().catch(() => undefined)
const complainOfFetch = async (error: unknown) =>
  complain(`This menu did not come. ${ABSENCES[await absenceOf(error)]}`)

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
    onPointerEnter: approach,
    onFocus: approach,
  })
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <MenuPopup {...menu} />
    </Suspense>
  )
}
