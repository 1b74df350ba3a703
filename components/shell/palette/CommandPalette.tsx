"use client"
import { Dialog } from "@base-ui/react/dialog"
import { useRouter } from "next/navigation"
import { type KeyboardEvent, useEffect, useId, useState } from "react"
import { MAX_SEARCH_CHARS } from "#lib/domain/constants.ts"
import { errorMessage } from "../../api/client.ts"
import { Highlighted } from "../../search/Highlighted.tsx"
import { useDebouncedValue, useLibrarySearch } from "../../search/use-library-search.ts"
import { cx } from "../../ui/cx.ts"
import { Icon } from "../../ui/Icon.tsx"
import { buildPaletteItems, type PaletteItem } from "./palette-items.ts"
import { closePalette, PALETTE_INPUT_ID, useCommandPalette } from "./palette-store.ts"
import { useRecentRecordings } from "./recent-recordings.ts"
import { usePaletteActions } from "./use-palette-actions.ts"

const LIMIT = 6

const download = (href: string): void => {
  const link = document.createElement("a")
  link.href = href
  link.download = ""
  link.click()
}

type ItemProps = {
  item: PaletteItem
  id: string
  active: boolean
  isFirstOfGroup: boolean
  onPick: () => void
  onMove: () => void
}

const Item = ({ item, id, active, isFirstOfGroup, onPick, onMove }: ItemProps) => (
  <>
    {isFirstOfGroup && (
      <div role="presentation" className="px-3 pt-3 pb-1 text-xs font-[560] text-muted">
        {item.group}
      </div>
    )}
    {/* biome-ignore lint/a11y/useKeyWithClickEvents: the combobox input handles keys */}
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      onClick={onPick}
      onPointerMove={onMove}
      className={cx(
        "flex cursor-default items-center gap-3 rounded-md px-3 py-2 text-sm",
        active && "bg-accent-wash text-ink",
      )}
    >
      {item.color ? (
        <span className="grid size-[17px] shrink-0 place-items-center">
          <span aria-hidden="true" style={{ background: item.color }} className="size-2.5 rounded-full" />
        </span>
      ) : (
        <Icon name={item.icon} size={17} className="shrink-0 text-muted" />
      )}
      <span className="min-w-0 flex-1 truncate">
        <Highlighted text={item.text} marks={item.marks} />
      </span>
      {item.hint && (
        <bdi className="numeric max-w-[45%] shrink-0 truncate text-xs text-muted max-sm:hidden">{item.hint}</bdi>
      )}
    </div>
  </>
)

/** Searches pages, recordings, topics and transcripts, and opens the selected result. */
export const CommandPalette = () => {
  const router = useRouter()
  const query = useCommandPalette((s) => s.query)
  const question = useDebouncedValue(query)
  const found = useLibrarySearch(question, LIMIT)
  const recent = useRecentRecordings()
  const actions = usePaletteActions()
  const items = buildPaletteItems({ query, found: query.trim() ? found.data : undefined, recent, actions })
  const [active, setActive] = useState(0)
  const list = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query starts at the first result
  useEffect(() => setActive(0), [query])
  const activeIndex = Math.min(active, items.length - 1)
  useEffect(() => {
    document.getElementById(`${list}-${activeIndex}`)?.scrollIntoView({ block: "nearest" })
  }, [activeIndex, list])
  const pick = (item: PaletteItem | undefined) => {
    if (!item) return
    closePalette()
    if ("run" in item) item.run()
    else if (item.isDownload) download(item.href)
    else router.push(item.href)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === "ArrowDown") setActive((activeIndex + 1) % items.length)
    else if (event.key === "ArrowUp") setActive((activeIndex - 1 + items.length) % items.length)
    else if (event.key === "Enter") pick(items[activeIndex])
    else return
    event.preventDefault()
  }
  return (
    <Dialog.Root open onOpenChange={(next) => !next && closePalette()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          aria-label="Search or jump to"
          className="fixed inset-x-3 top-[10vh] z-50 mx-auto flex max-h-[70vh] max-w-2xl animate-pop flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-float outline-none"
        >
          <div className="flex items-center gap-2 border-b border-line px-4">
            <Icon name="search" size={18} className={cx("shrink-0 text-muted", found.isFetching && "animate-pulse")} />
            <input
              id={PALETTE_INPUT_ID}
              value={query}
              // biome-ignore lint/a11y/noAutofocus: the palette is opened to type in it
              autoFocus
              onChange={(event) => useCommandPalette.setState({ query: event.target.value.slice(0, MAX_SEARCH_CHARS) })}
              onKeyDown={onKey}
              role="combobox"
              aria-label="Search recordings, topics and transcripts, or jump to a page"
              aria-expanded="true"
              aria-controls={list}
              aria-activedescendant={items[activeIndex] ? `${list}-${activeIndex}` : undefined}
              placeholder="Search recordings, topics and transcripts…"
              autoComplete="off"
              spellCheck={false}
              className="h-13 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted"
            />
            <kbd className="rounded-sm border border-line px-1.5 font-sans text-xs text-muted">Esc</kbd>
          </div>
          <div id={list} role="listbox" aria-label="Results" className="min-h-0 flex-1 overflow-y-auto p-1.5">
            {items.map((item, i) => (
              <Item
                key={item.key}
                item={item}
                id={`${list}-${i}`}
                active={i === activeIndex}
                isFirstOfGroup={item.group !== items[i - 1]?.group}
                onPick={() => pick(item)}
                onMove={() => i !== activeIndex && setActive(i)}
              />
            ))}
          </div>
          {found.isError && (
            <p role="alert" className="border-t border-line px-4 py-2 text-sm text-bad">
              {errorMessage(found.error)}
            </p>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
