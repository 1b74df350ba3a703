"use client"
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query"
import { type SyntheticEvent, useState } from "react"
import type { Thread } from "#lib/domain/threads.ts"
import { client, errorMessage } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"
import { Button, IconButton } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { Dialog } from "../ui/Dialog.tsx"
import { Field } from "../ui/Field.tsx"
import { formatCount, formatTimeAgo } from "../ui/format.ts"
import { Menu, MenuItem } from "../ui/Menu.tsx"
import { Notice } from "../ui/Notice.tsx"
import { notifyError } from "../ui/toast-queue.ts"
import { openThread, useConversation } from "./conversation.ts"
import { useDeleteThread, useHiddenThreads } from "./delete-thread.ts"

const useThreads = (q: string) =>
  useInfiniteQuery({
    queryKey: queryKeys.threadList(q),
    queryFn: ({ signal, pageParam }) =>
      client.threads({ ...(q && { q }), ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  })

const RenameDialog = ({ thread, onClose }: { thread: Thread; onClose: () => void }) => {
  const queryClient = useQueryClient()
  const [title, setTitle] = useState(thread.title)
  const [error, setError] = useState<string | null>(null)
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault()
    try {
      const renamed = await client.renameThread(thread.id, { title })
      useConversation.setState((state) =>
        state.thread?.id === thread.id ? { thread: { id: thread.id, title: renamed.title } } : {},
      )
      void queryClient.invalidateQueries({ queryKey: queryKeys.threads })
      onClose()
    } catch (failure) {
      setError(errorMessage(failure))
    }
  }
  return (
    <Dialog open onClose={onClose} title="Rename conversation">
      <form onSubmit={(event) => void submit(event)} className="grid gap-4">
        <Field label="Title" value={title} maxLength={200} onChange={(e) => setTitle(e.target.value)} error={error} />
        <Button type="submit" variant="primary" className="justify-self-end" disabled={!title.trim()}>
          Rename
        </Button>
      </form>
    </Dialog>
  )
}

type RowProps = { thread: Thread; isOpen: boolean; onOpen: () => void }

const ThreadRow = ({ thread, isOpen, onOpen }: RowProps) => {
  const [isRenaming, setRenaming] = useState(false)
  const remove = useDeleteThread()
  return (
    <li className={cx("flex items-center rounded-md transition hover:bg-accent-wash", isOpen && "bg-accent-wash")}>
      <button
        type="button"
        onClick={onOpen}
        aria-current={isOpen ? "page" : undefined}
        className="grid min-h-11 min-w-0 flex-1 content-center rounded-md py-1 pl-2.5 text-left"
      >
        <bdi className="truncate text-sm font-[560]">{thread.title}</bdi>
        <span className="truncate text-xs text-muted">
          {formatCount(thread.questions, "question")} · {formatTimeAgo(thread.updated_at)}
        </span>
      </button>
      <Menu
        align="end"
        trigger={<IconButton name="more" label={`Actions for ${thread.title}`} className="size-9 max-lg:size-11" />}
      >
        <MenuItem icon="edit" onSelect={() => setRenaming(true)}>
          Rename
        </MenuItem>
        <MenuItem icon="trash" tone="bad" onSelect={() => remove(thread)}>
          Delete
        </MenuItem>
      </Menu>
      {isRenaming && <RenameDialog thread={thread} onClose={() => setRenaming(false)} />}
    </li>
  )
}

/** The saved conversations, found by their titles and questions. `onOpened` is called when one is opened. */
export const ThreadList = ({ onOpened }: { onOpened?: () => void }) => {
  const [q, setQ] = useState("")
  const threads = useThreads(q.trim())
  const hidden = useHiddenThreads()
  const openId = useConversation((s) => s.thread?.id)
  const listed = (threads.data?.pages ?? []).flatMap((page) => page.threads).filter(({ id }) => !hidden.has(id))
  const open = (id: string) => {
    openThread(id).catch((error: unknown) => notifyError(errorMessage(error)))
    onOpened?.()
  }
  return (
    <div className="grid gap-2">
      <Field
        label="Search conversations"
        hideLabel
        type="search"
        placeholder="Search conversations"
        value={q}
        maxLength={200}
        onChange={(event) => setQ(event.target.value)}
      />
      {threads.isError && <Notice onRetry={() => void threads.refetch()}>{errorMessage(threads.error)}</Notice>}
      {threads.isSuccess && listed.length === 0 && (
        <p className="px-2.5 text-sm text-muted">
          {q.trim() ? "No conversation contains this text." : "Your conversations are kept here."}
        </p>
      )}
      <ul aria-label="Conversations" className="grid max-h-[50vh] gap-0.5 overflow-y-auto">
        {listed.map((thread) => (
          <ThreadRow key={thread.id} thread={thread} isOpen={thread.id === openId} onOpen={() => open(thread.id)} />
        ))}
      </ul>
      {threads.hasNextPage && (
        <Button variant="quiet" disabled={threads.isFetchingNextPage} onClick={() => void threads.fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  )
}
