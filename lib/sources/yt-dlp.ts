import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import * as z from "zod"
import { AppError } from "../domain/errors.ts"
import { cleanName } from "../domain/schemas.ts"
import { makeFolder } from "../platform/files/folder.ts"
import { createTempName } from "../platform/files/temp-files.ts"
import { type ChildEnd, describeExit, startChild } from "../platform/processes/child.ts"
import { findProgram, isProgram } from "../platform/processes/find-program.ts"
import type { SourceMetadata } from "./types.ts"
import { isVideoId, youTubeUrl } from "./youtube.ts"

export type YtDlpRules = {
  /** Folder for downloads. */
  readonly dir: string
  /** Path of an installed yt-dlp. Without it, or if it is missing, the one on PATH is used. */
  readonly installed: string | undefined
  readonly maxBytes: number
  readonly deadlineMs: number
}

export type Video = {
  /** The ID of the downloaded video. It differs from the requested one if YouTube redirects. */
  readonly id: string
  readonly path: string
  readonly about: SourceMetadata
  readonly remove: () => Promise<void>
}

/** The first version that runs YouTube's scripts with Node.js. */
const MIN_VERSION = "2025.11.12"
const MAX_HOURS = 12
const HOW_TO_UPDATE = "Run `npx earmark models pull yt-dlp` to install the newest version."

const report = z.object({
  id: z.string().refine(isVideoId),
  title: z.string().nullish(),
  channel: z.string().nullish(),
  uploader: z.string().nullish(),
  upload_date: z
    .string()
    .regex(/^\d{8}$/)
    .nullish(),
})

/** Parses the first line of the output that is a JSON object. */
const parseReport = (printed: string, program: string): z.infer<typeof report> => {
  const line = printed.split("\n").find((text) => text.trim().startsWith("{")) ?? ""
  try {
    return report.parse(JSON.parse(line))
  } catch (cause) {
    const output = cleanName(printed).slice(0, 100)
    throw new AppError("unavailable", `${program} printed no readable report ('${output}'). ${HOW_TO_UPDATE}`, {
      cause,
    })
  }
}

const findYtDlp = async (installed: string | undefined): Promise<string> => {
  const path = installed && (await isProgram(installed)) ? installed : await findProgram("yt-dlp")
  if (path) return path
  throw new AppError("capability_missing", `YouTube needs the program yt-dlp, which is not installed. ${HOW_TO_UPDATE}`)
}

const checkVersion = async (program: string, signal: AbortSignal): Promise<string> => {
  const child = startChild(program, ["--version"], { signal })
  const [printed, end] = await Promise.all([text(child.stdout), child.end])
  signal.throwIfAborted()
  const version = /^\d{4}\.\d{2}\.\d{2}/.exec(printed.trim())?.[0]
  if (end.code !== 0 || version === undefined)
    throw new AppError("unavailable", `${program} does not run (${describeExit(end)}). ${HOW_TO_UPDATE}`)
  if (version < MIN_VERSION)
    throw new AppError(
      "unavailable",
      `${program} has version ${version}, which no longer supports YouTube. ${HOW_TO_UPDATE}`,
    )
  return version
}

/** Builds the arguments. Only the URL comes from the caller, after `--`, so it cannot become an option. */
const argsFor = (address: string, dir: string, { maxBytes }: YtDlpRules): string[] => [
  "--ignore-config",
  "--no-playlist",
  "--no-exec",
  "--no-cache-dir",
  "--no-mtime",
  "--no-progress",
  ...["--js-runtimes", `node:${process.execPath}`],
  ...["-f", "bestaudio[ext=m4a]/bestaudio"],
  ...["--max-filesize", String(maxBytes)],
  ...["--match-filters", `!is_live & duration<=${MAX_HOURS * 3600}`],
  ...["--socket-timeout", "15", "--retries", "3"],
  ...["-o", join(dir, "audio.%(ext)s")],
  "--print-json",
  ...["--", address],
]

const DAY_MS = 86_400_000

/** Converts the last error that the program printed, with advice. */
const toDownloadError = (address: string, end: ChildEnd, version: string): AppError => {
  const lastError = end.stderr
    .split("\n")
    .filter((line) => line.startsWith("ERROR:"))
    .at(-1)
  const reason = lastError?.replace(/^ERROR:\s*(\[[^\]]*\]\s*)?/, "").slice(0, 300) ?? describeExit(end)
  const days = Math.floor((Date.now() - Date.parse(version.replaceAll(".", "-"))) / DAY_MS)
  const advice = days > 60 ? ` yt-dlp is ${days} days old. ${HOW_TO_UPDATE}` : ""
  const isTemporary = /HTTP Error (429|5\d\d)|timed out|Temporary failure|Connection/i.test(reason)
  return new AppError("unavailable", `Couldn't download ${address}: ${reason}${advice}`, {
    retry: isTemporary ? "retry" : "never",
  })
}

const parseUploadDate = (date: string): string | null => {
  const iso = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00.000Z`
  return Number.isFinite(Date.parse(iso)) ? iso : null
}

const cleanOptionalName = (text: string | null | undefined): string | null => cleanName(text ?? "") || null

/**
 * Downloads the audio of a YouTube video into its own folder with yt-dlp, which only receives the canonical URL of an
 * eleven-character ID. Removes the folder on any error.
 * @throws AppError `capability_missing` without yt-dlp, `unavailable` with its error message
 */
export const downloadVideo = async (id: string, rules: YtDlpRules, caller: AbortSignal): Promise<Video> => {
  if (!isVideoId(id)) throw new AppError("invalid", "Not the ID of a YouTube video.")
  const address = youTubeUrl(id)
  const deadline = AbortSignal.timeout(rules.deadlineMs)
  const signal = AbortSignal.any([caller, deadline])
  const toTimeoutError = (error: unknown): unknown =>
    deadline.aborted && !caller.aborted
      ? new AppError(
          "unavailable",
          `The download of ${address} took longer than ${Math.round(rules.deadlineMs / 1000)} s (SERVICE_FETCH_TIMEOUT_S).`,
        )
      : error
  const dir = join(rules.dir, createTempName())
  makeFolder(dir)
  const remove = () => rm(dir, { recursive: true, force: true })
  try {
    const program = await findYtDlp(rules.installed)
    const version = await checkVersion(program, signal)
    const child = startChild(program, argsFor(address, dir, rules), { signal })
    const [printed, end] = await Promise.all([text(child.stdout), child.end])
    signal.throwIfAborted()
    if (end.code !== 0) throw toDownloadError(address, end, version)
    const [name] = (await readdir(dir)).filter((file) => file.startsWith("audio.") && !file.endsWith(".part"))
    // yt-dlp exits with 0 if its filters reject a video: live, too long or too large.
    if (name === undefined || printed.trim() === "")
      throw new AppError(
        "invalid",
        `Couldn't download ${address}: it is live, longer than ${MAX_HOURS} hours, or larger than ${Math.floor(rules.maxBytes / 2 ** 20)} MB (SERVICE_MAX_UPLOAD_MB)`,
      )
    const path = join(dir, name)
    if ((await stat(path)).size > rules.maxBytes)
      throw new AppError("too_large", `${address} is larger than SERVICE_MAX_UPLOAD_MB allows.`)
    const found = parseReport(printed, program)
    const published_at = found.upload_date ? parseUploadDate(found.upload_date) : null
    return {
      id: found.id,
      path,
      remove,
      about: {
        title: cleanOptionalName(found.title),
        channel: cleanOptionalName(found.channel ?? found.uploader),
        published_at,
      },
    }
  } catch (error) {
    await remove()
    throw toTimeoutError(error)
  }
}
