import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { z } from "zod"
import { AppError } from "../domain/errors.ts"
import { plainName } from "../domain/schemas.ts"
import { makeFolder } from "../platform/files/folder.ts"
import { incomingName } from "../platform/files/temp-files.ts"
import { type ChildEnd, describeExit, startChild } from "../platform/processes/child.ts"
import { findProgram, isProgram } from "../platform/processes/find-program.ts"
import type { SourceAbout } from "./types.ts"
import { isVideoId, youTubeAddress } from "./youtube.ts"

export type YtDlpRules = {
  /** Where downloads lie until they are read. */
  readonly dir: string
  /** A program that was pulled; without it, or where it is missing, the one on PATH. */
  readonly pulled: string | undefined
  readonly maxBytes: number
  readonly deadlineMs: number
}

export type Video = {
  /** Of the video that was found: another one than was asked for when YouTube leads on. */
  readonly id: string
  readonly path: string
  readonly about: SourceAbout
  readonly remove: () => Promise<void>
}

/** The first version that can run YouTube's scripts by Node.js. */
const OLDEST = "2025.11.12"
const MAX_HOURS = 12
const MEND = "`npx earmark models pull yt-dlp` brings the newest"

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

/** What the program said of the video: its first line that is an object. */
const reportIn = (printed: string, program: string): z.infer<typeof report> => {
  const line = printed.split("\n").find((text) => text.trim().startsWith("{")) ?? ""
  try {
    return report.parse(JSON.parse(line))
  } catch (cause) {
    const said = plainName(printed).slice(0, 100)
    throw new AppError("unavailable", `${program} tells nothing of the video that can be read ('${said}'): ${MEND}`, {
      cause,
    })
  }
}

const findYtDlp = async (pulled: string | undefined): Promise<string> => {
  const path = pulled && (await isProgram(pulled)) ? pulled : await findProgram("yt-dlp")
  if (path) return path
  throw new AppError("capability_missing", `YouTube needs the program yt-dlp, which is not here: ${MEND}`)
}

const checkVersion = async (program: string, signal: AbortSignal): Promise<string> => {
  const child = startChild(program, ["--version"], { signal })
  const [printed, end] = await Promise.all([text(child.stdout), child.end])
  signal.throwIfAborted()
  const version = /^\d{4}\.\d{2}\.\d{2}/.exec(printed.trim())?.[0]
  if (end.code !== 0 || version === undefined)
    throw new AppError("unavailable", `${program} does not run (${describeExit(end)}): ${MEND}`)
  if (version < OLDEST)
    throw new AppError("unavailable", `${program} is of ${version} and no longer understands YouTube: ${MEND}`)
  return version
}

/** Nothing of the caller's but the address reaches the program, and that after `--`: it cannot become an option. */
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

/** The program's own last complaint, and what may help. */
const failure = (address: string, end: ChildEnd, version: string): AppError => {
  const said = end.stderr
    .split("\n")
    .filter((line) => line.startsWith("ERROR:"))
    .at(-1)
  const reason = said?.replace(/^ERROR:\s*(\[[^\]]*\]\s*)?/, "").slice(0, 300) ?? describeExit(end)
  const days = Math.floor((Date.now() - Date.parse(version.replaceAll(".", "-"))) / DAY_MS)
  const old = days > 60 ? ` (yt-dlp is ${days} days old: ${MEND})` : ""
  const again = /HTTP Error (429|5\d\d)|timed out|Temporary failure|Connection/i.test(reason)
  return new AppError("unavailable", `${address} cannot be fetched: ${reason}${old}`, {
    retry: again ? "retry" : "never",
  })
}

const day = (date: string): string | null => {
  const iso = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00.000Z`
  return Number.isFinite(Date.parse(iso)) ? iso : null
}

const named = (text: string | null | undefined): string | null => plainName(text ?? "") || null

/**
 * Fetches the sound of one YouTube video into a folder of its own, by yt-dlp. Only an eleven-letter id ever reaches it,
 * as its canonical address. Whatever goes wrong, nothing is left.
 * @throws AppError `capability_missing` without the program, `unavailable` with the program's own reason
 */
export const fetchVideo = async (id: string, rules: YtDlpRules, caller: AbortSignal): Promise<Video> => {
  if (!isVideoId(id)) throw new AppError("invalid", "this is no id of a YouTube video")
  const address = youTubeAddress(id)
  const deadline = AbortSignal.timeout(rules.deadlineMs)
  const signal = AbortSignal.any([caller, deadline])
  const late = (error: unknown): unknown =>
    deadline.aborted && !caller.aborted
      ? new AppError(
          "unavailable",
          `${address} took longer than ${Math.round(rules.deadlineMs / 1000)} s to fetch (SERVICE_FETCH_TIMEOUT_S)`,
        )
      : error
  const dir = join(rules.dir, incomingName())
  makeFolder(dir)
  const remove = () => rm(dir, { recursive: true, force: true })
  try {
    const program = await findYtDlp(rules.pulled)
    const version = await checkVersion(program, signal)
    const child = startChild(program, argsFor(address, dir, rules), { signal })
    const [printed, end] = await Promise.all([text(child.stdout), child.end])
    signal.throwIfAborted()
    if (end.code !== 0) throw failure(address, end, version)
    const [name] = (await readdir(dir)).filter((file) => file.startsWith("audio.") && !file.endsWith(".part"))
    // It leaves with 0 when its filters refuse: a live video, one that is too long or too large.
    if (name === undefined || printed.trim() === "")
      throw new AppError(
        "invalid",
        `${address} was not fetched: it is live, longer than ${MAX_HOURS} hours, or larger than ${Math.floor(rules.maxBytes / 2 ** 20)} MB (SERVICE_MAX_UPLOAD_MB)`,
      )
    const path = join(dir, name)
    if ((await stat(path)).size > rules.maxBytes)
      throw new AppError("too_large", `${address} is larger than SERVICE_MAX_UPLOAD_MB allows`)
    const found = reportIn(printed, program)
    const published_at = found.upload_date ? day(found.upload_date) : null
    return {
      id: found.id,
      path,
      remove,
      about: { title: named(found.title), channel: named(found.channel ?? found.uploader), published_at },
    }
  } catch (error) {
    await remove()
    throw late(error)
  }
}
