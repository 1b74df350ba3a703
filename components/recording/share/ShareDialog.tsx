"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import type { Share } from "#lib/domain/shares.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button, IconButton } from "../../ui/Button.tsx"
import { copyText } from "../../ui/copy-text.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { formatClock } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { useRecording } from "../recording-context.ts"
import { closeShareDialog, useShareDialog } from "./share-dialog-store.ts"

const DAY_MS = 86_400_000
const EXPIRIES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "Never" },
] as const
type Expiry = (typeof EXPIRIES)[number]["value"]
const AUDIO_OPTIONS = [
  { value: "with", label: "Text and audio" },
  { value: "without", label: "Text only" },
] as const
const WHOLE = ""

const toExpiry = (choice: Expiry): string | null =>
  choice === "never" ? null : new Date(Date.now() + Number(choice) * DAY_MS).toISOString()

const copyLink = ({ path }: Share): Promise<void> => copyText(`${window.location.origin}${path}`, "Link")

const formatDate = (iso: string): string =>
  new Date(iso).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" })

const describeShare = ({ start_s, end_s, with_audio, expires_at, last_opened_at }: Share): string => {
  const isExpired = expires_at !== null && Date.parse(expires_at) <= Date.now()
  return [
    start_s === null || end_s === null ? "Whole recording" : `${formatClock(start_s)}–${formatClock(end_s)}`,
    ...(with_audio ? [] : ["text only"]),
    expires_at === null ? "never expires" : `${isExpired ? "expired" : "expires"} ${formatDate(expires_at)}`,
    last_opened_at === null ? "not opened yet" : `last opened ${formatDate(last_opened_at)}`,
  ].join(" · ")
}

const ShareRow = ({ share, onRevoke, isRevoking }: { share: Share; onRevoke: () => void; isRevoking: boolean }) => (
  <li className="flex items-center gap-2 py-2">
    <div className="min-w-0 flex-1">
      <a
        href={share.path}
        target="_blank"
        rel="noreferrer"
        className="block truncate text-sm font-[560] underline decoration-line-strong underline-offset-3 hover:text-accent"
      >
        <bdi>{share.title}</bdi>
      </a>
      <p className="numeric text-xs text-muted">{describeShare(share)}</p>
    </div>
    <IconButton name="link" label={`Copy the link to ${share.title}`} onClick={() => void copyLink(share)} />
    <IconButton name="trash" label={`Revoke the link to ${share.title}`} disabled={isRevoking} onClick={onRevoke} />
  </li>
)

const ShareList = () => {
  const { clip } = useRecording()
  const queryClient = useQueryClient()
  const queryKey = queryKeys.shares(clip.id)
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.shares({ clip_id: clip.id }, { signal }),
  })
  const revoke = useMutation({
    mutationFn: (share: Share) => client.revokeShare(share.id),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
  const failed = error ?? revoke.error
  return (
    <>
      {failed && <Notice tone="bad">{errorMessage(failed)}</Notice>}
      {data && data.shares.length > 0 && (
        <section className="border-t border-line pt-3">
          <h3 className="text-sm font-[600]">Links to this recording</h3>
          <ul className="divide-y divide-line">
            {data.shares.map((share) => (
              <ShareRow
                key={share.id}
                share={share}
                isRevoking={revoke.isPending}
                onRevoke={() => revoke.mutate(share)}
              />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

const ShareForm = ({ chosenTopic }: { chosenTopic: string | null }) => {
  const { clip } = useRecording()
  const queryClient = useQueryClient()
  const [topic, setTopic] = useState(chosenTopic ?? WHOLE)
  const [expiry, setExpiry] = useState<Expiry>("30")
  const [audio, setAudio] = useState<(typeof AUDIO_OPTIONS)[number]["value"]>("with")
  const create = useMutation({
    mutationFn: () =>
      client.createShare(clip.id, {
        topic: topic === WHOLE ? null : topic,
        with_audio: audio === "with",
        expires_at: toExpiry(expiry),
      }),
    onSuccess: async (share) => {
      await queryClient.invalidateQueries({ queryKey: queryKeys.shares(clip.id) })
      await copyLink(share)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <label className="grid gap-1 text-sm font-[560]">
        What the link shows
        <select
          value={topic}
          onChange={(event) => setTopic(event.target.value)}
          className="h-11 w-full min-w-0 rounded-md border border-line-strong bg-raised px-3 text-base font-normal"
        >
          <option value={WHOLE}>The whole recording</option>
          {clip.topics
            .filter(({ level }) => level > 1)
            .map(({ number, level, title, start_s }) => (
              <option key={number} value={number}>
                {`${level > 2 ? "\u2003" : ""}${title} (${formatClock(start_s)})`}
              </option>
            ))}
        </select>
      </label>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        <div className="grid justify-items-start gap-1">
          <p className="text-sm font-[560]">Expires</p>
          <Segmented label="Expires" value={expiry} options={EXPIRIES} onChange={setExpiry} />
        </div>
        {clip.file_path !== null && (
          <div className="grid justify-items-start gap-1">
            <p className="text-sm font-[560]">Contents</p>
            <Segmented label="Contents" value={audio} options={AUDIO_OPTIONS} onChange={setAudio} />
          </div>
        )}
      </div>
      {create.isError && <Notice tone="bad">{`Couldn't create the link. ${errorMessage(create.error)}`}</Notice>}
      <div className="flex justify-end">
        <Button variant="primary" type="submit" icon="link" disabled={create.isPending}>
          Create and copy link
        </Button>
      </div>
    </form>
  )
}

/** The dialog that creates, lists and revokes the share links of a recording. */
export const ShareDialog = () => {
  const { open, topic } = useShareDialog()
  return (
    <Dialog
      open={open}
      onClose={closeShareDialog}
      title="Share with others"
      lead="Anybody who has the link and can reach this service sees only what you choose here, without signing in."
    >
      <div className="grid gap-5">
        <ShareForm key={String(open)} chosenTopic={topic} />
        <ShareList />
      </div>
    </Dialog>
  )
}
