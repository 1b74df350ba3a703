import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { client } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"
import { type Chip, listDates } from "./scope-chips.ts"

/** The number of suggestions of each kind. */
const MAX_OF_KIND = 4

const contains = (name: string, query: string): boolean => name.toLowerCase().includes(query.toLowerCase())

export const useFacets = (enabled = true) =>
  useQuery({ queryKey: queryKeys.facets, queryFn: ({ signal }) => client.facets({ signal }), enabled })

/** Returns the recordings whose title matches, or the newest ones for an empty query. */
const findRecordings = async (query: string, signal: AbortSignal): Promise<Chip[]> => {
  const found = query
    ? (await client.search({ q: query, limit: MAX_OF_KIND }, { signal })).titles.map((hit) => [
        hit.clip_id,
        hit.clip_title,
      ])
    : (await client.clips({ limit: MAX_OF_KIND }, { signal, fields: ["id", "title"] })).clips.map((c) => [
        c.id,
        c.title,
      ])
  return found.map(([value, label]) => ({ kind: "clip", value: value!, label: label! }))
}

const findDocuments = async (query: string, signal: AbortSignal): Promise<Chip[]> => {
  const { documents } = await client.documents({ limit: MAX_OF_KIND, ...(query && { q: query }) }, { signal })
  return documents.map(({ id, name }) => ({ kind: "document", value: id, label: name }))
}

/** Returns what a mention may mean. A source that cannot be searched has no suggestions. */
export const useScopeOptions = (query: string, isOpen: boolean): readonly Chip[] => {
  const facets = useFacets(isOpen).data
  const found = useQuery({
    queryKey: queryKeys.scopeOptions(query),
    queryFn: async ({ signal }) => {
      const lists = await Promise.allSettled([findRecordings(query, signal), findDocuments(query, signal)])
      return lists.flatMap((list) => (list.status === "fulfilled" ? list.value : []))
    },
    placeholderData: keepPreviousData,
    enabled: isOpen,
  })
  if (!isOpen) return []
  const named = (kind: Chip["kind"], values: readonly { readonly name: string }[] = []): Chip[] =>
    values
      .filter(({ name }) => contains(name, query))
      .slice(0, MAX_OF_KIND)
      .map(({ name }) => ({ kind, value: name, label: name }))
  return [
    ...(found.data ?? []).filter(({ label }) => query === "" || contains(label, query)),
    ...named("speaker", facets?.speakers),
    ...named("tag", facets?.tags),
    ...named("region", facets?.subjects),
    ...listDates(query, Date.now()),
  ]
}
