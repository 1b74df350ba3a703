"use client"
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { DocumentsQuery } from "#lib/api/client/types.ts"
import type { DocumentList } from "#lib/api/documents.ts"
import type { DocumentEntry } from "#lib/domain/documents.ts"
import { client, errorMessage } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"
import { createUndoableDeletion } from "../api/undoable-deletion.ts"
import { notifyError } from "../ui/toast-queue.ts"
import { useExclusiveMutation } from "../ui/use-exclusive-mutation.ts"

const PAGE_SIZE = 100

/** Loads documents page by page, as the list is scrolled. */
export const useDocuments = (query: Omit<DocumentsQuery, "cursor" | "limit" | "fields">) =>
  useInfiniteQuery({
    queryKey: queryKeys.documentList(query),
    queryFn: ({ signal, pageParam }) =>
      client.documents({ ...query, limit: PAGE_SIZE, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (last: DocumentList) => last.next_cursor,
    placeholderData: keepPreviousData<InfiniteData<DocumentList, string>>,
    refetchOnWindowFocus: true,
  })

type Deleted = Pick<DocumentEntry, "id" | "name" | "uploaded">

export const { useHidden: useHiddenDocuments, useDelete: useDeleteDocuments } = createUndoableDeletion<Deleted>({
  remove: async (id, queryClient) => {
    await client.removeDocument(id)
    queryClient.removeQueries({ queryKey: queryKeys.document(id) })
  },
  onEnd: (queryClient) => void queryClient.invalidateQueries({ queryKey: queryKeys.documents }),
  describe: ([document]) =>
    document!.uploaded
      ? `Deleted “${document!.name}”`
      : `Removed “${document!.name}”. The file itself stays where it is.`,
})

/** Uploads documents one after the other. Returns the names of those that are waiting, and a function that adds more. */
export const useAddDocuments = () => {
  const queryClient = useQueryClient()
  const [sending, setSending] = useState<readonly string[]>([])
  const [add] = useState(() => async (files: readonly File[]) => {
    setSending((before) => [...before, ...files.map((f) => f.name)])
    for (const file of files) {
      try {
        await client.addDocument(file)
      } catch (error) {
        notifyError(errorMessage(error))
      }
      setSending((before) => before.toSpliced(before.indexOf(file.name), 1))
      await queryClient.invalidateQueries({ queryKey: queryKeys.documents })
    }
  })
  return { sending, add }
}

/** Returns a mutation that reads the file of a document again. */
export const useUpdateDocument = ({ id, source }: Pick<DocumentEntry, "id" | "source">) => {
  const queryClient = useQueryClient()
  return useExclusiveMutation({
    mutationFn: () => client.ingest({ paths: [source] }),
    onError: (error) => notifyError(errorMessage(error)),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: queryKeys.documents }),
        queryClient.invalidateQueries({ queryKey: queryKeys.document(id) }),
      ]),
  })
}
