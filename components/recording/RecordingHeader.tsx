"use client"
import Link from "next/link"
import { type FormEvent, useState } from "react"
import type { ExportFormat } from "#lib/domain/clips.ts"
import { EXPORT_FORMATS } from "#lib/domain/constants.ts"
import { client } from "../api.ts"
import { isToldApart } from "../library/speakers.ts"
import { Button, IconButton, LinkButton } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { clock, count } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { Menu, MenuGroup, MenuItem, MenuLine, MenuLink } from "../ui/Menu.tsx"
import { complain, notify } from "../ui/messages.ts"
import { useRecording } from "./context.ts"
import { problem, usePatch } from "./data.ts"
import { PendingRecording } from "./PendingRecording.tsx"
import { usePlayer } from "./player/player.ts"
import { openVoices } from "./speakers/speakers-dialog-store.ts"

const FORMATS: Readonly<Record<ExportFormat, { label: string; hint: string }>> = {
  txt: { label: "Text", hint: ".txt" },
  md: { label: "Markdown with topics", hint: ".md" },
  srt: { label: "Subtitles", hint: ".srt" },
  vtt: { label: "Web subtitles", hint: ".vtt" },
  chapters: { label: "Podcast chapters", hint: ".json" },
  ffmetadata: { label: "Chapters for ffmpeg", hint: ".ffmetadata" },
  youtube: { label: "YouTube chapters", hint: ".txt" },
  json: { label: "Everything", hint: ".json" },
}

const copy = async (text: string, said: string) => {
  try {
    await navigator.clipboard.writeText(text)
    notify(said)
  } catch {
    complain("This browser does not let the page copy. The address bar holds the link.")
  }
}

/** The page's address at a second. */
const linkTo = (id: string, second: number): string =>
  `${window.location.origin}/library/${encodeURIComponent(id)}${second > 0 ? `?t=${second}` : ""}`

const ExportMenu = () => {
  const { clip } = useRecording()
  return (
    <Menu align="end" trigger={<Button icon="save">Export</Button>}>
      <MenuGroup label="Save as a file">
        {EXPORT_FORMATS.map((format) => (
          <MenuLink key={format} download href={client.exportUrl(clip.id, format)} hint={FORMATS[format].hint}>
            {FORMATS[format].label}
          </MenuLink>
        ))}
      </MenuGroup>
      <MenuLine />
      <MenuItem
        icon="file"
        onSelect={() => {
          client.exportClip(clip.id, "txt").then(
            (text) => copy(text, "Transcript copied, with its speakers"),
            () => complain("The transcript could not be fetched."),
          )
        }}
      >
        Copy the transcript
      </MenuItem>
      {clip.file_path !== null && (
        <MenuLink download href={client.audioUrl(clip.id)} icon="wave">
          The recording itself
        </MenuLink>
      )}
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
        hint={clock(second)}
        onSelect={() => copy(linkTo(clip.id, second), `Link to ${clock(second)} copied`)}
      >
        Copy a link to this second
      </MenuItem>
      <MenuItem icon="link" onSelect={() => copy(linkTo(clip.id, 0), "Link copied")}>
        Copy a link to the recording
      </MenuItem>
    </Menu>
  )
}

const Title = () => {
  const { clip } = useRecording()
  const patch = usePatch(clip.id)
  const [text, setText] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const title = text?.trim()
    if (title && title !== clip.title) patch.mutate({ title }, { onSuccess: () => setText(null) })
    else setText(null)
  }
  const begin = () => {
    patch.reset()
    setText(clip.title)
  }
  if (text !== null)
    return (
      <form onSubmit={submit} className="flex min-w-0 flex-1 items-start gap-2">
        <div className="min-w-0 flex-1">
          <Field
            hidden
            label="Title of the recording"
            value={text}
            maxLength={500}
            autoFocus
            error={patch.isError ? `Not saved: ${problem(patch.error, clip.id)}` : null}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && setText(null)}
          />
        </div>
        <Button type="submit" look="primary" disabled={patch.isPending}>
          {patch.isError ? "Try again" : "Save"}
        </Button>
      </form>
    )
  return (
    <div className="flex min-w-0 items-center gap-1">
      <h1 className="truncate text-xl font-[640]" title={clip.title}>
        <bdi>{clip.title}</bdi>
      </h1>
      <IconButton name="edit" label="Rename the recording" onClick={begin} className="size-8" />
    </div>
  )
}

type HeadProps = { onMade: () => void; onCompare: () => void; onAgain: () => void; onDelete: () => void }

/** What the recording is called, and what can be done with it. */
export const RecordingHeader = ({ onMade, onCompare, onAgain, onDelete }: HeadProps) => {
  const { clip, voices } = useRecording()
  const day = new Date(clip.created_at).toLocaleDateString("en", { day: "numeric", month: "long", year: "numeric" })
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <title>{`${clip.title} · Earmark`}</title>
      <div className="grid min-w-0 flex-1 basis-72">
        <Title />
        <p className="numeric flex flex-wrap items-center gap-x-2 text-sm text-muted">
          <Link href="/" className="inline-flex min-h-6 items-center gap-0.5 rounded-sm hover:text-ink">
            <Icon name="back" size={14} />
            Library
          </Link>
          <span>· {clock(clip.duration_s)}</span>
          <span>· {day}</span>
          {voices.length > 0 && (
            <span>
              ·{" "}
              <button
                type="button"
                onClick={() => openVoices()}
                className="min-h-6 rounded-sm underline decoration-line-strong underline-offset-3 hover:text-ink"
              >
                {isToldApart({ diarized: clip.diarized, voices: voices.length })
                  ? count(voices.length, "speaker")
                  : "Voices were not told apart"}
              </button>
            </span>
          )}
        </p>
      </div>
      <PendingRecording />
      <div className="flex items-center gap-1.5">
        <ExportMenu />
        <ShareMenu />
        {clip.topics.length > 0 && (
          <LinkButton icon="map" href={`/viz?clip=${encodeURIComponent(clip.id)}`} className="max-md:hidden">
            Show on the map
          </LinkButton>
        )}
        <Menu align="end" trigger={<IconButton name="more" label="More" />}>
          {clip.topics.length > 0 && (
            <MenuLink icon="map" href={`/viz?clip=${encodeURIComponent(clip.id)}`}>
              Show on the map
            </MenuLink>
          )}
          <MenuItem icon="people" onSelect={() => openVoices()}>
            Speakers…
          </MenuItem>
          <MenuItem icon="retry" onSelect={onAgain}>
            Run it again…
          </MenuItem>
          <MenuItem icon="split" onSelect={onCompare}>
            Compare runs…
          </MenuItem>
          <MenuItem icon="info" onSelect={onMade}>
            What made this
          </MenuItem>
          <MenuLine />
          <MenuItem icon="trash" tone="bad" onSelect={onDelete}>
            Delete the recording
          </MenuItem>
        </Menu>
      </div>
    </div>
  )
}
