import type { StoredLine } from "../../../domain/summaries.ts"
import { mapConcurrently } from "../../../platform/concurrency.ts"
import type { Logger } from "../../../platform/logger.ts"
import { normalizeLetters } from "../grounding.ts"
import type { PriorityLimiter } from "../priority-limiter.ts"
import { toChapterLines } from "../topic-lines.ts"
import type { CallContext, FilledForm, Summarizer, SummaryForm } from "../types.ts"
import { type CheckedLines, checkLines, sharesWords } from "./check-lines.ts"
import { formPrompt, mergePrompt } from "./form-prompts.ts"
import { formatPassage, listPassages, type Passage } from "./passages.ts"
import { joinPrompt, type Message } from "./prompts.ts"
import { createStructuredChat, type StructuredChat } from "./structured-chat.ts"
import { answerTokenBudget, estimateTokens, transcriptTokenBudget } from "./tokens.ts"
import type { ModelTransport } from "./transport.ts"
import { splitIntoWindows } from "./windows.ts"

const DEFAULT_CONCURRENCY = 4
/** A part of a recording has at most this many times the tokens of its answer, so that the answer is not cut off. */
const PART_PER_ANSWER = 4
/** Lines of overlapping parts that are this near may be the same. */
const NEAR_S = 10
const MAX_LISTED_PROBLEMS = 4
/** Merging ends after this many rounds, however long the notes are. */
const MAX_ROUNDS = 4

type Part = { readonly passages: readonly Passage[]; readonly messages: readonly Message[] }

/** Fills in a form from one part. An answer with lines that cannot be used is repaired once; those still wrong are dropped. */
const fillInPart = async (
  chat: StructuredChat,
  { passages, messages }: Part,
  ctx: CallContext,
): Promise<CheckedLines> => {
  let first: CheckedLines | null = null
  return chat(
    {
      what: "the lines of a form",
      priority: "background",
      messages,
      kind: "lines",
      parse: ({ lines }, { isRepair }) => {
        const checked = checkLines(lines, passages)
        if (checked.problems.length > 0 && !isRepair) {
          first = checked
          return { problem: checked.problems.slice(0, MAX_LISTED_PROBLEMS).join(" ") }
        }
        const isWorse = first !== null && first.lines.length > checked.lines.length
        return { value: isWorse ? first! : checked }
      },
    },
    ctx,
  )
}

/** Parts overlap, so a line may come twice: at nearly the same time and in other words, or with the same text. */
const isRepeated = (a: StoredLine, b: StoredLine): boolean => {
  const [one, other] = [normalizeLetters(a.text), normalizeLetters(b.text)]
  return one === other || (Math.abs(a.start_s - b.start_s) < NEAR_S && sharesWords(a.text, b.text))
}

const joinParts = (parts: readonly CheckedLines[]): FilledForm => {
  const lines: StoredLine[] = []
  for (const [i, part] of parts.entries()) {
    const before = i === 0 ? [] : parts[i - 1]!.lines
    lines.push(...part.lines.filter((line) => !before.some((other) => isRepeated(line, other))))
  }
  return { lines, dropped: parts.reduce((sum, { problems }) => sum + problems.length, 0) }
}

/** Presents lines as passages of another call, so that lines made of them cite what they cite. */
const toDrafts = (lines: readonly StoredLine[], passages: readonly Passage[]): Passage[] =>
  lines.map((line, i) => {
    const said = passages.filter(({ start_s, end_s }) => end_s >= line.start_s && start_s <= line.end_s)
    const speaker = line.speaker ?? said[0]?.speaker ?? "0"
    const label = said.find((passage) => passage.speaker === speaker)?.label ?? "Notes"
    const words = line.text.split(/\s+/).map((word) => ({ word, start: line.start_s, end: line.end_s, speaker }))
    return { number: i + 1, speaker, label, text: line.text, start_s: line.start_s, end_s: line.end_s, words }
  })

/** Creates a summarizer that fills in forms with a language model on a server. */
export const createModelSummarizer = (
  transport: ModelTransport,
  log: Logger,
  limiter?: PriorityLimiter | undefined,
): Summarizer => {
  const chat = createStructuredChat(transport, log, limiter)

  const splitParts = (
    passages: readonly Passage[],
    { numCtx, reasoning }: CallContext,
    build: (text: string) => Message[],
  ): Part[] => {
    const budget = Math.min(
      transcriptTokenBudget(numCtx, reasoning, joinPrompt(build(""))),
      PART_PER_ANSWER * answerTokenBudget(numCtx, false),
    )
    return splitIntoWindows(passages, (passage) => estimateTokens(formatPassage(passage)) + 1, budget).map((own) => ({
      passages: own,
      messages: build(own.map(formatPassage).join("\n")),
    }))
  }

  const fillInParts = async (parts: readonly Part[], ctx: CallContext): Promise<FilledForm> => {
    let done = 0
    ctx.onProgress?.(0, parts.length)
    const filled = await mapConcurrently(
      parts,
      ctx.concurrency ?? DEFAULT_CONCURRENCY,
      ctx.signal,
      async (part, signal) => {
        const checked = await fillInPart(chat, part, { ...ctx, signal })
        ctx.onProgress?.(++done, parts.length)
        return checked
      },
    )
    return joinParts(filled)
  }

  /** Makes one answer of the answers on the parts of a long recording. */
  const merge = async (
    form: SummaryForm,
    filled: FilledForm,
    passages: readonly Passage[],
    ctx: CallContext,
  ): Promise<FilledForm> => {
    let { lines, dropped } = filled
    for (let round = 0; round < MAX_ROUNDS && lines.length > 1; round++) {
      const parts = splitParts(toDrafts(lines, passages), ctx, (text) => mergePrompt(form, text))
      const merged = await fillInParts(parts, ctx)
      dropped += merged.dropped
      // An answer without lines would lose what the parts have.
      if (merged.lines.length === 0) break
      lines = merged.lines
      if (parts.length === 1) break
    }
    return { lines, dropped }
  }

  return {
    provider: transport.provider,
    model: transport.model,
    fillIn: async (form, given) => {
      // The topics are chapters already, with titles and summaries that people may have edited.
      if (form.kind === "chapters") return { lines: toChapterLines(form.topics), dropped: 0 }
      const ctx = { ...given, numCtx: await transport.fitContext(given.numCtx, given.signal) }
      const passages = listPassages(form.words, form.speakers)
      if (passages.length === 0) return { lines: [], dropped: 0 }
      const parts = splitParts(passages, ctx, (text) => formPrompt(form, text))
      const filled = await fillInParts(parts, ctx)
      return form.kind === "prompt" && parts.length > 1 ? merge(form, filled, passages, ctx) : filled
    },
  }
}
