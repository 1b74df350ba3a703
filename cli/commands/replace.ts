import type { Command } from "commander"
import { AppError } from "#lib/domain/errors.ts"
import { MAX_REPLACED_HITS, previewRequest, type ReplacementHit } from "#lib/domain/replacements.ts"
import type { Api } from "#lib/services/local-api.ts"
import { parseFlags } from "../flags.ts"
import { printResult } from "../output.ts"
import { type RemoteFlags, remoteFlags, withApi } from "../remote.ts"

type ReplaceFlags = RemoteFlags & {
  readonly clip?: string
  readonly parts?: boolean
  readonly matchCase?: boolean
  readonly dryRun?: boolean
}

const line = ({ clip_id, start_s, before, text, replacement, after }: ReplacementHit): string =>
  `${clip_id}  ${start_s.toFixed(1)}  …${before} [${text} → ${replacement}] ${after}…`

/** Finds all hits, with progress on standard error. @throws AppError `invalid` if a recording has more than one answer holds */
const findAll = async (api: Api, what: Parameters<Api["previewReplacement"]>[0]): Promise<ReplacementHit[]> => {
  const hits: ReplacementHit[] = []
  let [searched, total] = [0, 0]
  let cursor: string | undefined
  do {
    const page = await api.previewReplacement({ ...what, ...(cursor !== undefined && { cursor }) })
    for (const clip of page.clips) {
      hits.push(...clip.hits)
      if (clip.total > clip.hits.length)
        process.stderr.write(`${clip.clip_id}: only the first ${clip.hits.length} of ${clip.total} hits\n`)
    }
    searched += page.searched
    total = page.total ?? total
    if (total > 1) process.stderr.write(`searched ${searched} of ${total} recordings, ${hits.length} hits\n`)
    cursor = page.next_cursor
  } while (cursor !== undefined)
  return hits
}

type What = Omit<Parameters<Api["replace"]>[0], "hits" | "replacement_id">

/** Replaces hits in as many calls as needed, as one replacement. */
const replaceAll = async (api: Api, what: What, hits: readonly ReplacementHit[]) => {
  const result = { id: "", edits: 0, clips: 0, skipped: [] as Awaited<ReturnType<Api["replace"]>>["skipped"] }
  for (let i = 0; i < hits.length; i += MAX_REPLACED_HITS) {
    const part = hits.slice(i, i + MAX_REPLACED_HITS).map(({ clip_id, start_s, end_s, speaker, text }) => ({
      clip_id,
      start_s,
      end_s,
      speaker,
      text,
    }))
    const done = await api.replace({ ...what, hits: part, ...(result.id !== "" && { replacement_id: result.id }) })
    result.id = done.id
    result.edits += done.edits
    result.clips += done.clips
    result.skipped.push(...done.skipped)
    if (hits.length > MAX_REPLACED_HITS) process.stderr.write(`${i + part.length} of ${hits.length} hits\n`)
  }
  return result
}

export const addReplace = (program: Command): void => {
  remoteFlags(program.command("replace <find> <with>"))
    .description("find a text in transcripts and replace it; an empty text deletes it")
    .option("--clip <id>", "only this clip")
    .option("--parts", "also find parts of words")
    .option("--match-case", "distinguish upper and lower case")
    .option("--dry-run", "only list the hits")
    .action((find: string, replaceWith: string, { clip, parts, matchCase, dryRun, ...flags }: ReplaceFlags) =>
      withApi(flags, async (api) => {
        const given = { find, replace_with: replaceWith, clip_id: clip, whole_words: !parts, match_case: matchCase }
        const what = parseFlags(previewRequest, given, { find: "<find>", replace_with: "<with>", clip_id: "--clip" })
        const hits = await findAll(api, what)
        if (dryRun) return printResult({ hits }, () => hits.map(line).join("\n") || "no hits")
        if (hits.length === 0) throw new AppError("not_found", `No transcript contains '${find}'.`)
        const { whole_words, match_case, replace_with } = what
        const result = await replaceAll(api, { find: what.find, replace_with, whole_words, match_case }, hits)
        const skipped = result.skipped.map(
          (hit) => `left alone (${hit.reason}): ${hit.clip_id} ${hit.start_s} ${hit.text}`,
        )
        const summary = `${result.edits} replaced in ${result.clips} recordings; undo: earmark replacements undo ${result.id}`
        printResult(result, () => [summary, ...skipped].join("\n"))
      }),
    )
}

export const addReplacements = (program: Command): void => {
  const replacements = program.command("replacements").description("list and undo what was replaced")
  remoteFlags(replacements.command("list", { isDefault: true }))
    .description("list the replacements that can be undone")
    .action((flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const list = await api.replacements()
        const show = (r: (typeof list.replacements)[number]) =>
          `${r.id}  ${r.find} → ${r.replace_with}  ${r.edits} in ${r.clips} recordings`
        printResult(list, () => list.replacements.map(show).join("\n") || "no replacements")
      }),
    )
  remoteFlags(replacements.command("undo <id>"))
    .description("undo a replacement in all recordings")
    .action((id: string, flags: RemoteFlags) =>
      withApi(flags, async (api) => {
        const undone = await api.undoReplacement(id)
        printResult(undone, () => `${undone.edits} undone in ${undone.clips} recordings`)
      }),
    )
}
