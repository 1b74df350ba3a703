import { clock } from "./boundary-text.ts"
import { InvalidModelOutputError } from "./invalid-model-output.ts"
import type { CallContext, Span, TopicModel } from "./types.ts"

/**
 * A topic model whose unusable answers are replaced by another's, one by one, each with a note for the reader. Other
 * failures (no server, no such model, an abort) stay what they are.
 */
export const withFallback = (model: TopicModel, fallback: TopicModel): TopicModel => {
  const orElse = async <T>(
    what: string,
    at: Span | null,
    ctx: CallContext,
    ask: (by: TopicModel) => Promise<T>,
  ): Promise<T> => {
    try {
      return await ask(model)
    } catch (error) {
      if (!(error instanceof InvalidModelOutputError)) throw error
      const answer = await ask(fallback)
      const where = at ? ` from ${clock(at.start_s)} to ${clock(at.end_s)}` : ""
      ctx.note?.(`${what}${where} without the model '${model.model}', which gave no usable answer: ${error.problem}`)
      return answer
    }
  }
  return {
    ...model,
    boundaries: (request, ctx) => orElse("Topics were found", request.within, ctx, (by) => by.boundaries(request, ctx)),
    decide: (request, ctx) =>
      orElse("Whether to divide was decided", request.node, ctx, (by) => by.decide(request, ctx)),
    summarize: (request, ctx) =>
      orElse("Title and summary were made", request.node, ctx, (by) => by.summarize(request, ctx)),
    overview: (request, ctx) =>
      orElse("Title and summary of the whole were made", null, ctx, (by) => by.overview(request, ctx)),
  }
}
