"use client"
import Link from "next/link"
import { type FormEvent, useState } from "react"
import type { ExportFormat } from "#lib/domain/clips.ts"
import { EXPORT_FORMATS } from "#lib/domain/constants.ts"
import { client } from "../api/client.ts"
import { FORMAT_LABELS } from "../library/list/format-labels.ts"
import { Button, IconButton, LinkButton } from "../ui/Button.tsx"
import { copyText } from "../ui/copy-text.ts"
import { Field } from "../ui/Field.tsx"
import { formatClock, formatCount } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { Menu, MenuGroup, MenuItem, MenuLink, MenuSeparator } from "../ui/Menu.tsx"
import { notifyError } from "../ui/toast-queue.ts"
import { usePersistedChoice } from "../ui/use-persisted-choice.ts"
import { usePlayer } from "./player/player.ts"
import { RerunProgress } from "./RerunProgress.tsx"
import { useRecording } from "./recording-context.ts"
import { describeEditError, useEditClip } from "./recording-data.ts"
import { getRecordingUrl } from "./recording-url.ts"
import { openShareDialog } from "./share/share-dialog-store.ts"
import { openSpeakersDialog } from "./speakers/speakers-dialog-store.ts"

const EXTENSIONS: Readonly<Record<ExportFormat, string>> = {
  docx: ".docx",
  pdf: ".pdf",
  html: ".html",
  txt: ".txt",
  md: ".md",
  srt: ".srt",
  vtt: ".vtt",
  chapters: ".json",
  ffmetadata: ".ffmetadata",
  youtube: ".txt",
  json: ".json",
}

/** The formats that can contain notes and summaries. */
const FORMATS_WITH_ADDITIONS: readonly ExportFormat[] = ["docx", "pdf", "html", "md", "json"]
const ADDITIONS = ["with", "without"] as const

const ExportMenu = () => {
  const { clip } = useRecording()
  const [additions, chooseAdditions] = usePersistedChoice("earmark.export-additions", ADDITIONS, "with")
  const isWith = additions === "with"
  const contentsOf = (format: ExportFormat) =>
    isWith && FORMATS_WITH_ADDITIONS.includes(format) ? { withNotes: true, withSummaries: true } : {}
  return (
    <Menu align="end" trigger={<Button icon="save">Export</Button>}>
      <MenuGroup label="Download as">
        {EXPORT_FORMATS.map((format) => (
          <MenuLink
            key={format}
            download
            href={client.exportUrl(clip.id, format, contentsOf(format))}
            hint={EXTENSIONS[format]}
          >
            {FORMAT_LABELS[format]}
          </MenuLink>
        ))}
      </MenuGroup>
      <MenuSeparator />
      <MenuItem checked={isWith} onSelect={() => chooseAdditions(isWith ? "without" : "with")}>
        Include notes and summaries
      </MenuItem>
      <MenuItem
        icon="file"
        onSelect={() => {
          client.exportClip(clip.id, "txt").then(
            (text) => copyText(text, "Transcript"),
            () => notifyError("Couldn't load the transcript."),
          )
        }}
      >
        Copy transcript
      </MenuItem>
      {clip.file_path !== null && (
        <MenuLink download href={client.audioUrl(clip.id)} icon="wave">
          Audio file
        </MenuLink>
      )}
      {clip.file_path !== null && (
        <MenuLink
          download
          href={client.exportUrl(clip.id, "html", { withAudio: true, ...contentsOf("html") })}
          icon="play"
        >
          Web page with audio
        </MenuLink>
      )}
      <MenuLink download href={client.archiveUrl(clip.id)} icon="save" hint=".zip">
        Everything
      </MenuLink>
    </Menu>
  )
}

const ShareMenu = () => {
  const { clip } = useRecording()
  const second = usePlayer((s) => s.second)
  return (
    <Menu align="end" trigger={<Button icon="share">Share</Button>}>
      <MenuItem
        icon="link"
        hint={formatClock(second)}
        onSelect={() => copyText(getRecordingUrl(clip.id, second), `Link to ${formatClock(second)}`)}
      >
        Copy link to current time
      </MenuItem>
      <MenuItem icon="link" onSelect={() => copyText(getRecordingUrl(clip.id, 0), "Link")}>
        Copy link to recording
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon="share" onSelect={() => openShareDialog()}>
        Share with others…
      </MenuItem>
    </Menu>
  )
}

const EditableTitle = () => {
  const { clip } = useRecording()
  const patch = useEditClip(clip.id)
  const [text, setText] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const title = text?.trim()
    if (title && title !== clip.title) patch.mutate({ title }, { onSuccess: () => setText(null) })
    else setText(null)
  }
  const startEditing = () => {
    patch.reset()
    setText(clip.title)
  }
  if (text !== null)
    return (
      <form onSubmit={submit} className="flex min-w-0 flex-1 items-start gap-2">
        <div className="min-w-0 flex-1">
          <Field
            hideLabel
            label="Title"
            value={text}
            maxLength={500}
            autoFocus
            error={patch.isError ? `Couldn't save the title. ${describeEditError(patch.error, clip.id)}` : null}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && setText(null)}
          />
        </div>
        <Button type="submit" variant="primary" disabled={patch.isPending}>
          {patch.isError ? "Try again" : "Save"}
        </Button>
      </form>
    )
  return (
    <div className="flex min-w-0 items-center gap-1">
      <h1 className="truncate text-xl font-[640]" title={clip.title}>
        <bdi>{clip.title}</bdi>
      </h1>
      <IconButton name="edit" label="Rename recording" onClick={startEditing} className="size-8 max-sm:size-11" />
    </div>
  )
}

type RecordingHeaderProps = { onDetails: () => void; onCompare: () => void; onRerun: () => void; onDelete: () => void }

/** The title of the recording and its actions. */
export const RecordingHeader = ({ onDetails, onCompare, onRerun, onDelete }: RecordingHeaderProps) => {
  const { clip, speakers, areSpeakersKnown } = useRecording()
  const date = new Date(clip.created_at).toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" })
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <title>{`${clip.title} · Earmark`}</title>
      <div className="grid min-w-0 flex-1 basis-72">
        <EditableTitle />
        <p className="numeric flex flex-wrap items-center gap-x-1 text-sm text-muted">
          <Link
            href="/"
            className="inline-flex min-h-6 items-center max-sm:min-h-11 max-sm:pr-2 gap-0.5 rounded-sm hover:text-ink"
          >
            <Icon name="back" size={14} />
            Library
          </Link>
          <span>· {formatClock(clip.duration_s)}</span>
          <span>· {date}</span>
          {speakers.length > 0 && (
            <span>
              ·{" "}
              <button
                type="button"
                onClick={() => openSpeakersDialog()}
                className="min-h-6 rounded-sm max-sm:min-h-11 underline decoration-line-strong underline-offset-3 hover:text-ink"
              >
                {areSpeakersKnown ? formatCount(speakers.length, "speaker") : "No speaker labels"}
              </button>
            </span>
          )}
        </p>
      </div>
      <RerunProgress />
      <div className="flex items-center gap-1.5">
        <ExportMenu />
        <ShareMenu />
        {clip.topics.length > 0 && (
          <LinkButton icon="map" href={`/viz?clip=${encodeURIComponent(clip.id)}`} className="max-md:hidden">
            Show on map
          </LinkButton>
        )}
        <Menu align="end" trigger={<IconButton name="more" label="More actions" className="max-sm:size-11" />}>
          {clip.topics.length > 0 && (
            <MenuLink icon="map" href={`/viz?clip=${encodeURIComponent(clip.id)}`}>
              Show on map
            </MenuLink>
          )}
          <MenuItem icon="people" onSelect={() => openSpeakersDialog()}>
            Speakers…
          </MenuItem>
          <MenuItem icon="retry" onSelect={onRerun}>
            Re-run…
          </MenuItem>
          <MenuItem icon="split" onSelect={onCompare}>
            Compare runs…
          </MenuItem>
          <MenuItem icon="info" onSelect={onDetails}>
            Processing details
          </MenuItem>
          <MenuSeparator />
          <MenuItem icon="trash" tone="bad" onSelect={onDelete}>
            Delete recording
          </MenuItem>
        </Menu>
      </div>
    </div>
  )
}
