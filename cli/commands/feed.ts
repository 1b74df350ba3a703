import { type Command, InvalidArgumentError } from "commander"
import type { JobSubmitResponse } from "#lib/api/jobs.ts"
import { AppError } from "#lib/domain/errors.ts"
import type { Episode } from "#lib/domain/feeds.ts"
import { formatTime, printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

type Flags = RemoteFlags & { limit: number; submit?: string }

const MAX_EPISODES = 1000

const parseCount = (value: string): number => {
  const n = Number(value)
  if (Number.isInteger(n) && n > 0 && n <= MAX_EPISODES) return n
  throw new InvalidArgumentError(`Must be a whole number from 1 to ${MAX_EPISODES}.`)
}

const formatEpisode = (e: Episode, i: number): string =>
  `${String(i + 1).padStart(4)}  ${e.published_at?.slice(0, 10) ?? "          "}  ${(e.duration_s === null ? "" : formatTime(e.duration_s)).padStart(8)}  ${e.title}`

/** Returns the episodes with the given numbers, such as "1,3-5", counted from 1. */
const selectEpisodes = (selection: string, episodes: readonly Episode[]): Episode[] => {
  const numbers = selection.split(",").flatMap((part) => {
    const [, from = "", to = from] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? []
    const [first, last] = [Number(from), Number(to)]
    if (from === "" || first < 1 || last < first || last > episodes.length)
      throw new AppError("invalid", `--submit ${part}: use numbers from 1 to ${episodes.length}, for example 1,3-5.`)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
  return [...new Set(numbers)].map((n) => episodes[n - 1]!)
}

export const addFeed = (program: Command): void => {
  remoteFlags(program.command("feed").argument("<feed>", "URL of an RSS or Atom feed"))
    .description("list the episodes of a podcast; --submit creates jobs for some of them")
    .option("--limit <n>", "maximum number of episodes, newest first", parseCount, 20)
    .option("--submit <numbers>", "numbers of episodes in the list, for example 1,3-5")
    .action((url: string, { limit, submit, ...flags }: Flags) =>
      withApi(flags, async (api) => {
        const feed = await api.feed({ url, limit })
        if (submit === undefined) {
          const more = feed.total - feed.episodes.length
          const hint = more > 0 ? [`and ${more} more: --limit ${Math.min(feed.total, MAX_EPISODES)}`] : []
          printResult(feed, () => [feed.title, ...feed.episodes.map(formatEpisode), ...hint].join("\n"))
          return
        }
        const jobs: (JobSubmitResponse & { title: string })[] = []
        for (const { title, url: source } of selectEpisodes(submit, feed.episodes)) {
          jobs.push({ title, ...(await api.submit({ source, title })) })
        }
        printResult({ jobs }, () =>
          jobs.map((job) => `job ${job.job_id}  clip ${job.session_id}  ${job.title}`).join("\n"),
        )
      }),
    )
}
