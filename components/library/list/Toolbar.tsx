"use client"
import type { Ref } from "react"
import { MAX_SEARCH_CHARS } from "#lib/domain/constants.ts"
import { Button, LinkButton } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Icon, type IconName } from "../../ui/Icon.tsx"
import { Menu, MenuGroup, MenuItem } from "../../ui/Menu.tsx"
import { DEFAULT_SORT, type LibraryParams, SORTS, type Sort } from "./library-params.ts"
import { ViewsMenu } from "./ViewsMenu.tsx"

export const LAYOUTS = ["table", "cards", "timeline"] as const
export type Layout = (typeof LAYOUTS)[number]
const LAYOUT_BUTTONS: Readonly<Record<Layout, { icon: IconName; label: string }>> = {
  table: { icon: "list", label: "Table" },
  cards: { icon: "cards", label: "Cards" },
  timeline: { icon: "time", label: "Timeline" },
}

type ToolbarProps = {
  params: LibraryParams
  onChange: (params: LibraryParams) => void
  query: string
  onQuery: (query: string) => void
  layout: Layout
  onLayout: (layout: Layout) => void
  onAdd: () => void
  search: Ref<HTMLInputElement>
}

const LayoutSwitch = ({ layout, onLayout }: Pick<ToolbarProps, "layout" | "onLayout">) => (
  <fieldset className="inline-flex rounded-full border border-line p-0.5 max-sm:hidden">
    <legend className="sr-only">Layout</legend>
    {LAYOUTS.map((name) => (
      <button
        key={name}
        type="button"
        aria-pressed={name === layout}
        aria-label={LAYOUT_BUTTONS[name].label}
        title={LAYOUT_BUTTONS[name].label}
        onClick={() => onLayout(name)}
        className={cx(
          "grid h-7.5 w-8 place-items-center rounded-full transition",
          name === layout ? "bg-accent-wash text-ink" : "text-muted hover:text-ink",
        )}
      >
        <Icon name={LAYOUT_BUTTONS[name].icon} size={17} />
      </button>
    ))}
  </fieldset>
)

/** The search, the order, the layout, the saved views and the button that adds recordings. */
export const Toolbar = ({ params, onChange, query, onQuery, layout, onLayout, onAdd, search }: ToolbarProps) => {
  const sort = params.sort ?? DEFAULT_SORT
  return (
    <div className="flex items-center gap-2">
      <search className="relative flex min-w-0 flex-1 items-center">
        <Icon name="search" size={17} className="pointer-events-none absolute left-3 text-muted" />
        <input
          ref={search}
          type="search"
          value={query}
          onChange={(event) => onQuery(event.target.value.slice(0, MAX_SEARCH_CHARS))}
          aria-label="Search titles, topics and transcripts"
          aria-keyshortcuts="/"
          placeholder="Search titles, topics, transcripts"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          className="h-9 w-full rounded-full border border-line bg-surface pr-4 pl-9.5 text-sm text-ellipsis transition placeholder:text-muted hover:border-line-strong max-sm:h-11"
        />
      </search>
      <LinkButton
        icon="note"
        href="/library/notes"
        aria-label="Highlights and notes"
        title="Highlights and notes"
        className="w-9 px-0 max-sm:size-11"
      />
      <Menu
        align="end"
        trigger={
          <Button icon="split" aria-label={`Sort: ${SORTS[sort]}`} className="max-sm:size-11 max-sm:px-0">
            <span className="max-lg:hidden">{SORTS[sort]}</span>
          </Button>
        }
      >
        <MenuGroup label="Sort">
          {(Object.entries(SORTS) as [Sort, string][]).map(([value, label]) => (
            <MenuItem key={value} checked={value === sort} onSelect={() => onChange({ ...params, sort: value })}>
              {label}
            </MenuItem>
          ))}
        </MenuGroup>
      </Menu>
      <div className="max-sm:hidden">
        <ViewsMenu params={params} onChange={onChange} />
      </div>
      <LayoutSwitch {...{ layout, onLayout }} />
      <Button
        variant="primary"
        icon="plus"
        onClick={onAdd}
        aria-label="Add a recording"
        className="max-sm:size-11 max-sm:px-0"
      >
        <span className="max-sm:hidden">Add</span>
      </Button>
    </div>
  )
}
