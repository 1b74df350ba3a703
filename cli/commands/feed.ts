import { type Command, InvalidArgumentError } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import type { Episode } from "#lib/domain/feeds.ts"
import { audioJobRequest, type Submitted } from "#lib/domain/jobs/jobs.ts"
import { listFeed } from "#lib/services/feeds/list-feed.ts"
import { submitJob } from "#lib/services/jobs/submit-job.ts"
import { withNode } from "../node.ts"
import { clock, printResult } from "../output.ts"

type Flags = { limit: number; submit?: string }

/** The most episodes that are listed. */
const MAX = 1000

const count = (value: string): number => {
  const n = Number(value)
  if (Number.isInteger(n) && n > 0 && n <= MAX) return n
  throw new InvalidArgumentError(`give a whole number from 1 to ${MAX}`)
}

const line = (e: Episode, i: number): string =>
  `${String(i + 1).padStart(4)}  ${e.published_at?.slice(0, 10) ?? "          "}  ${(e.duration_s === null ? "" : clock(e.duration_s)).padStart(8)}  ${e.title}`

/** "1,3-5" → the episodes of those numbers, counted from 1. */
const chosen = (wish: string, episodes: readonly Episode[]): Episode[] => {
  const numbers = wish.split(",").flatMap((part) => {
    const [, from = "", to = from] = /^(\d+)(?:-(\d+))?$/.exec(part.trim()) ?? []
    const [first, last] = [Number(from), Number(to)]
    if (from === "" || first < 1 || last < first || last > episodes.length)
      throw new AppError("invalid", `--submit ${part}: give numbers from 1 to ${episodes.length}, as 1,3-5`)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })
  return [...new Set(numbers)].map((n) => episodes[n - 1]!)
}

export const addFeed = (program: Command): void => {
  program
    .command("feed <url>")
    .description("the episodes of a podcast; --submit sends some of them to the service's queue")
    .option("--limit <n>", "how many of the newest", count, 20)
    .option("--submit <numbers>", "episodes by their number in the list, as 1,3-5")
    .action((url: string, { limit, submit }: Flags) =>
      withNode(async (node) => {
        const feed = await listFeed(node, { url, limit }, new AbortController().signal)
        if (submit === undefined) {
          const more = feed.total - feed.episodes.length
          const hint = more > 0 ? [`and ${more} more: --limit ${Math.min(feed.total, MAX)}`] : []
          printResult(feed, () => [feed.title, ...feed.episodes.map(line), ...hint].join("\n"))
          return
        }
        const jobs: (Submitted & { title: string })[] = []
        for (const { title, url: source } of chosen(submit, feed.episodes)) {
          const request = audioJobRequest.parse({ source, title })
          jobs.push({ title, ...(await submitJob(node, { request })) })
        }
        printResult({ jobs }, () => jobs.map((job) => `${job.job_id}  ${job.title}`).join("\n"))
      }),
    )
}
