"use client"
import { Menu as Base } from "@base-ui/react/menu"
import type { ReactElement, ReactNode } from "react"
import { cx } from "./cx.ts"
import { Icon, type IconName } from "./Icon.tsx"

const POPUP =
  "z-50 max-h-(--available-height) min-w-48 max-w-80 overflow-y-auto rounded-md border border-line bg-raised p-1 text-sm shadow-float outline-none animate-pop"
const ITEM =
  "flex w-full cursor-default items-center gap-2.5 rounded-sm px-2.5 py-1.5 text-left text-soft outline-none select-none data-[highlighted]:bg-accent-wash data-[highlighted]:text-ink data-[disabled]:opacity-45"

export type MenuProps = {
  /** The button that opens it. */
  trigger: ReactElement
  children: ReactNode
  align?: "start" | "center" | "end"
}

/** The menu with its trigger. Starts open, because it is rendered only once the user opens it. */
export const MenuPopup = ({ trigger, children, align = "start" }: MenuProps) => (
  <Base.Root defaultOpen>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner sideOffset={6} collisionPadding={8} align={align} className="z-50 outline-none">
        <Base.Popup className={POPUP}>{children}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
)

type ItemProps = { icon?: IconName; hint?: string; tone?: "bad"; disabled?: boolean; children: ReactNode }
/** `checked` marks the selected item of a group. It keeps the space of the mark if it is false. */
type CheckableProps = ItemProps & { onSelect: () => void; checked?: boolean }

const ItemContent = ({ icon, hint, children }: Omit<ItemProps, "disabled" | "tone">) => (
  <>
    {icon && <Icon name={icon} size={16} className="shrink-0 text-muted" />}
    <span className="min-w-0 flex-1 truncate">{children}</span>
    {hint && <span className="numeric shrink-0 text-xs text-muted">{hint}</span>}
  </>
)

export const MenuItem = ({ onSelect, disabled, tone, checked, ...rest }: CheckableProps) => (
  <Base.Item
    onClick={onSelect}
    {...(disabled && { disabled })}
    className={cx(ITEM, tone === "bad" && "text-bad data-[highlighted]:bg-bad-wash data-[highlighted]:text-bad")}
  >
    {checked === false && <span aria-hidden="true" className="w-4 shrink-0" />}
    <ItemContent {...rest} {...(checked && { icon: "check" as const })} />
  </Base.Item>
)

/** An item that follows a link or downloads a file. */
export const MenuLink = ({ href, download, ...rest }: ItemProps & { href: string; download?: boolean }) => (
  <Base.LinkItem href={href} closeOnClick {...(download && { download: "" })} className={ITEM}>
    <ItemContent {...rest} />
  </Base.LinkItem>
)

export const MenuSeparator = () => <Base.Separator className="mx-2 my-1 h-px bg-line" />

export const MenuGroup = ({ label, children }: { label: string; children: ReactNode }) => (
  <Base.Group>
    <Base.GroupLabel className="px-2.5 pt-1.5 pb-1 text-xs font-[560] text-muted">{label}</Base.GroupLabel>
    {children}
  </Base.Group>
)
