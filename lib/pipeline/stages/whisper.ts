import * as z from "zod"
import { messageOf } from "../../domain/errors.ts"
import { whisperOutput } from "../../domain/jobs/job-state.ts"
import { engineChoice } from "../../domain/jobs/jobs.ts"
import type { SpeakerEmbeddings } from "../../domain/people/speaker-embeddings.ts"
import { applyVocabulary } from "../../domain/transcript/apply-vocabulary.ts"
import type { WordSpan } from "../../domain/transcript/words.ts"
import { replacePath, withDisplayName } from "../../sources/display-name.ts"
import { defineStage, type StageContext } from "../stage.ts"
import { storedWords } from "./input.ts"
import { isOtherTranscription } from "./other-transcription.ts"

const source = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("file"), path: z.string() }),
  z.object({ kind: z.literal("upload"), path: z.string(), name: z.string() }),
  z.object({ kind: z.enum(["youtube", "url"]), url: z.string() }),
  z.object({ kind: z.literal("name"), name: z.string() }),
])

/** Computes the embeddings of the speakers. A failure costs the recognition of people, never the words. */
const tryEmbedSpeakers = async (
  path: string,
  words: readonly WordSpan[],
  { speech, signal, log }: Pick<StageContext, "speech" | "signal" | "log">,
): Promise<SpeakerEmbeddings | null> => {
  try {
    return await speech.embedSpeakers({ path, words, signal })
  } catch (error) {
    signal.throwIfAborted()
    log.warn({ detail: messageOf(error) }, "the speakers could not be compared with known people")
    return null
  }
}

/** Computes the embeddings of the speakers of a transcript that came with an upload. Other sources are only names. */
const embedGivenSpeakers = async (
  words: readonly WordSpan[],
  given: z.output<typeof source>,
  context: StageContext,
): Promise<SpeakerEmbeddings | null> => {
  if (given.kind !== "upload" || words.length === 0) return null
  try {
    const opened = await context.openSource(given, context.signal)
    return await tryEmbedSpeakers(opened.path, words, context).finally(() => opened.remove?.())
  } catch (error) {
    context.signal.throwIfAborted()
    context.log.warn({ detail: messageOf(error) }, "the recording of a given transcript could not be opened")
    return null
  }
}

/**
 * Transcribes the source. Words of the caller replace everything. An existing transcript is kept unless the job forces a new
 * one, or asks for another language or model than the one that made it. The source is opened before an engine is loaded, so that an unreadable source does not cost the load of a model.
 */
export const whisper = defineStage({
  name: "whisper",
  input: z.object({
    session_id: z.string(),
    source,
    given: z.object({ words: storedWords, estimated_times: z.boolean() }).nullable(),
    keeps_transcript: z.boolean(),
    language: z.string().nullable(),
    speech_engine: engineChoice,
    model: z.string().optional(),
    speakers: z.number().optional(),
    vocabulary: z.array(z.object({ term: z.string(), sounds_like: z.array(z.string()) })).optional(),
  }),
  output: whisperOutput,
  gather: ({ sessionId, source, given, words, made_by, options }) => ({
    session_id: sessionId,
    source,
    given,
    keeps_transcript:
      words !== null && !options.force_retranscribe && !(made_by && isOtherTranscription(options, made_by)),
    language: options.language,
    speech_engine: options.speech_engine,
    model: options.whisper_model,
    speakers: options.speakers,
    vocabulary: options.vocabulary,
  }),
  run: async (input, context) => {
    const { signal, speech, openSource, progress, showWords } = context
    if (input.given) {
      const embeddings = await embedGivenSpeakers(input.given.words, input.source, context)
      return {
        kind: "words" as const,
        words: [...input.given.words],
        duration_s: input.given.words.reduce((end, w) => Math.max(end, w.end), 0),
        language: input.language,
        speech_engine: null,
        whisper_model: null,
        ...(input.given.estimated_times && { estimated_times: true }),
        file_path: null,
        ...(embeddings && { speaker_embeddings: embeddings }),
      }
    }
    if (input.keeps_transcript) return { kind: "kept" as const }

    const opened = await openSource(input.source, signal)
    if (opened.sessionId !== undefined && opened.sessionId !== input.session_id) {
      await opened.remove?.()
      return { kind: "moved" as const, session_id: opened.sessionId, file_path: opened.keptAt }
    }

    const { source } = input
    const name = "url" in source ? source.url : source.kind === "file" ? opened.path : source.name
    try {
      const engine = await speech.pick(input.speech_engine)
      const transcript = await engine.transcribe({
        path: opened.path,
        language: input.language,
        model: input.model,
        speakers: input.speakers,
        terms: (input.vocabulary ?? []).map(({ term }) => term),
        signal,
        progress: ({ phase, done, total }) => progress(done, total, phase),
        onWords: showWords,
      })
      // Without diarization, a speaker is everybody who speaks.
      const isOneVoice = transcript.diarized || input.speakers === 1
      const embeddings = isOneVoice ? await tryEmbedSpeakers(opened.path, transcript.words, context) : null
      return {
        kind: "words" as const,
        words: applyVocabulary(transcript.words, input.vocabulary ?? []),
        duration_s: transcript.duration_s,
        language: transcript.language,
        speech_engine: transcript.engine,
        whisper_model: transcript.model,
        diarized: transcript.diarized,
        estimated_times: transcript.estimatedTimes,
        transcript_notes: transcript.notes.map((note) => replacePath(note, opened.path, name)),
        ...(opened.about && { about: opened.about }),
        ...(opened.address !== undefined && { source_url: opened.address }),
        file_path: opened.keptAt,
        ...(embeddings && { speaker_embeddings: embeddings }),
      }
    } catch (error) {
      throw withDisplayName(error, opened.path, name)
    } finally {
      await opened.remove?.()
    }
  },
})
