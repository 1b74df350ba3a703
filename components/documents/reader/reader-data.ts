"use client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { DocumentMatches } from "#lib/domain/document-content.ts"
import type { DocumentEntry } from "#lib/domain/documents.ts"
import { client } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"

/** What the page needs of a document besides its content. */
const ENTRY_FIELDS = [
  "id",
  "source",
  "name",
  "title",
  "format",
  "bytes",
  "chunks",
  "ingested_at",
  "state",
  "uploaded",
] as const satisfies readonly (keyof DocumentEntry)[]

export const useDocument = (id: string) =>
  useQuery({
    queryKey: queryKeys.document(id),
    queryFn: ({ signal }): Promise<DocumentEntry> => client.document(id, { signal, fields: ENTRY_FIELDS }),
  })

/** Loads the outline of a document and the sizes of its portions. */
export const useContent = (id: string) =>
  useQuery({
    queryKey: queryKeys.documentContent(id),
    queryFn: ({ signal }) => client.documentContent(id, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const usePortion = (id: string, portion: number, isNear: boolean) =>
  useQuery({
    queryKey: queryKeys.documentPortion(id, portion),
    queryFn: ({ signal }) => client.documentPortion(id, portion, { signal }),
    enabled: isNear,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Finds a text in a document. The matches before stay until the new ones are loaded. */
export const useMatches = (id: string, query: string) =>
  useQuery({
    queryKey: queryKeys.documentMatches(id, query),
    queryFn: ({ signal }): Promise<DocumentMatches> => client.findInDocument(id, { q: query }, { signal }),
    enabled: query !== "",
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
