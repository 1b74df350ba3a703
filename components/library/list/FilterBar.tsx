"use client"
import { useFacets } from "../../api/clips.ts"
import { cx } from "../../ui/cx.ts"
import { regionColor } from "../../ui/hues.ts"
import { Icon } from "../../ui/Icon.tsx"
import { MenuItem, MenuLink, MenuSeparator } from "../../ui/Menu.tsx"
import { DateFilter } from "./DateFilter.tsx"
import { CHIP, FilterChip } from "./FilterChip.tsx"
import { countFilters, LENGTHS, type LibraryParams, STATES } from "./library-params.ts"

/** The number of values that a menu lists. Rarer ones are found by the search. */
const MAX_LISTED = 100

type Option = { readonly value: string; readonly label: string; readonly clips?: number; readonly color?: string }

const OptionItems = ({
  options,
  value,
  onPick,
}: {
  options: readonly Option[]
  value?: string | undefined
  onPick: (value: string) => void
}) =>
  options.slice(0, MAX_LISTED).map((option) => (
    <MenuItem
      key={option.value}
      checked={option.value.toLowerCase() === value?.toLowerCase()}
      onSelect={() => onPick(option.value)}
      {...(option.clips !== undefined && { hint: option.clips.toLocaleString("en") })}
    >
      {option.color && (
        <span
          aria-hidden="true"
          style={{ background: option.color }}
          className="mr-2 inline-block size-2 rounded-full align-middle"
        />
      )}
      <bdi>{option.label}</bdi>
    </MenuItem>
  ))

const languageNames = typeof Intl === "undefined" ? null : new Intl.DisplayNames("en", { type: "language" })
const nameLanguage = (code: string): string => {
  try {
    return languageNames?.of(code) ?? code
  } catch {
    return code
  }
}

const byName = (facets: readonly { name: string; clips: number }[] | undefined): Option[] =>
  (facets ?? []).map(({ name, clips }) => ({ value: name, label: name, clips }))

const byTable = (table: Readonly<Record<string, string>>): Option[] =>
  Object.entries(table).map(([value, label]) => ({ value, label }))

type FilterBarProps = { params: LibraryParams; onChange: (params: LibraryParams) => void }

/** The filters of the library. Each that can distinguish recordings is a chip; the chosen values are in the address. */
export const FilterBar = ({ params, onChange }: FilterBarProps) => {
  const { data: facets } = useFacets()
  const set = (changes: LibraryParams) => onChange({ ...params, ...changes })
  const without = (...names: (keyof LibraryParams)[]) =>
    onChange(
      Object.fromEntries(Object.entries(params).filter(([name]) => !names.includes(name as keyof LibraryParams))),
    )
  const tags = params.tag?.split(",") ?? []
  const setTags = (next: readonly string[]) => (next.length > 0 ? set({ tag: next.join(",") }) : without("tag"))
  const untagged = byName(facets?.tags).filter(
    ({ value }) => !tags.some((t) => t.toLowerCase() === value.toLowerCase()),
  )
  const subjects = (facets?.subjects ?? []).map(
    ({ id, name, clips }): Option => ({ value: name, label: name, clips, color: regionColor(id) }),
  )
  const isLanguageUseful = (facets?.languages.length ?? 0) > 1 || params.language !== undefined
  return (
    <fieldset className="-mx-4 flex min-w-0 gap-2 overflow-x-auto px-4 py-0.5 [scrollbar-width:none] sm:mx-0 sm:flex-wrap sm:overflow-visible sm:px-0">
      <legend className="sr-only">Filters</legend>
      <button
        type="button"
        aria-pressed={params.favorite === "true"}
        onClick={() => (params.favorite ? without("favorite") : set({ favorite: "true" }))}
        className={cx(
          CHIP,
          "shrink-0",
          params.favorite ? "border-accent bg-accent-wash text-ink" : "border-line text-soft",
        )}
      >
        <Icon name="star" size={15} className={params.favorite ? "fill-accent text-accent" : "text-muted"} />
        Favorites
      </button>
      {(subjects.length > 0 || params.subject) && (
        <FilterChip label="Subject" icon="map" value={params.subject} onClear={() => without("subject")}>
          <OptionItems options={subjects} value={params.subject} onPick={(subject) => set({ subject })} />
        </FilterChip>
      )}
      {(facets?.speakers.length || params.person) && (
        <FilterChip label="Person" icon="person" value={params.person} onClear={() => without("person")}>
          <OptionItems options={byName(facets?.speakers)} value={params.person} onPick={(person) => set({ person })} />
          <MenuSeparator />
          <MenuLink href="/library/people">All people</MenuLink>
        </FilterChip>
      )}
      {tags.map((tag) => (
        <FilterChip
          key={tag}
          label="Tag"
          icon="tag"
          value={tag}
          onClear={() => setTags(tags.filter((other) => other !== tag))}
        >
          <OptionItems
            options={untagged}
            onPick={(name) => setTags(tags.map((other) => (other === tag ? name : other)))}
          />
        </FilterChip>
      ))}
      {untagged.length > 0 && (
        <FilterChip
          label={tags.length > 0 ? "Another tag" : "Tag"}
          icon="tag"
          value={undefined}
          onClear={() => without("tag")}
        >
          <OptionItems options={untagged} onPick={(name) => setTags([...tags, name])} />
        </FilterChip>
      )}
      <DateFilter params={params} onChange={set} onClear={() => without("from", "to")} />
      <FilterChip
        label="Length"
        icon="time"
        value={params.length && LENGTHS[params.length]}
        onClear={() => without("length")}
      >
        <OptionItems
          options={byTable(LENGTHS)}
          value={params.length}
          onPick={(length) => set({ length: length as keyof typeof LENGTHS })}
        />
      </FilterChip>
      {isLanguageUseful && (
        <FilterChip
          label="Language"
          value={params.language && nameLanguage(params.language)}
          onClear={() => without("language")}
        >
          <OptionItems
            options={(facets?.languages ?? []).map(({ name, clips }) => ({
              value: name,
              label: nameLanguage(name),
              clips,
            }))}
            value={params.language}
            onPick={(language) => set({ language })}
          />
        </FilterChip>
      )}
      <FilterChip label="State" value={params.state && STATES[params.state]} onClear={() => without("state")}>
        <OptionItems
          options={byTable(STATES)}
          value={params.state}
          onPick={(state) => set({ state: state as keyof typeof STATES })}
        />
      </FilterChip>
      {countFilters(params) > 1 && (
        <button
          type="button"
          onClick={() => onChange({ ...(params.q && { q: params.q }), ...(params.sort && { sort: params.sort }) })}
          className="h-8 shrink-0 px-2 text-sm text-muted underline underline-offset-3 hover:text-ink max-sm:h-11"
        >
          Clear filters
        </button>
      )}
    </fieldset>
  )
}
