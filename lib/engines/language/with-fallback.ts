import { formatMinutes } from "./boundary-text.ts"
import { InvalidModelOutputError } from "./invalid-model-output.ts"
import type { CallContext, Span, TopicModel } from "./types.ts"

/**
 * Returns a topic model that repeats a request with `fallback` if the answer of `model` is invalid, and adds a note. Other
 * errors, such as an unavailable server or an abort, are not handled.
 */
export const withFallback = (model: TopicModel, fallback: TopicModel): TopicModel => {
  const request = async <T>(
    what: string,
    span: Span | null,
    ctx: CallContext,
    call: (topics: TopicModel) => Promise<T>,
  ): Promise<T> => {
    try {
      return await call(model)
    } catch (error) {
      if (!(error instanceof InvalidModelOutputError)) throw error
      const answer = await call(fallback)
      const where = span ? ` from ${formatMinutes(span.start_s)} to ${formatMinutes(span.end_s)}` : ""
      ctx.onNote?.(`${what}${where} without the model '${model.model}', which gave no usable answer: ${error.problem}`)
      return answer
    }
  }
  return {
    ...model,
    findBoundaries: (req, ctx) => request("Topics were found", req.within, ctx, (t) => t.findBoundaries(req, ctx)),
    decide: (req, ctx) => request("Subtopics were decided on", req.node, ctx, (t) => t.decide(req, ctx)),
    summarize: (req, ctx) => request("Title and summary were written", req.node, ctx, (t) => t.summarize(req, ctx)),
    summarizeRecording: (req, ctx) =>
      request("Title and summary of the recording were written", null, ctx, (t) => t.summarizeRecording(req, ctx)),
  }
}
