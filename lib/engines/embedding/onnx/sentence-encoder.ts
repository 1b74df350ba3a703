import { readFile } from "node:fs/promises"
import type { Tensor } from "onnxruntime-node"
import type { SentenceModelFiles } from "./model-settings.ts"

/** Computes the vectors of texts with a loaded model. */
export type SentenceEncoder = {
  /** Returns the token IDs of a text with its prefix, cut to the maximum. */
  tokenize(text: string, kind: "document" | "query"): number[]
  /** Returns the vector of a text, scaled to unit length. */
  encode(text: string, kind: "document" | "query"): Promise<Float32Array>
}

/** A text is cut to this many characters per token before it is tokenized, which takes time in proportion to its length. */
const MAX_CHARS_PER_TOKEN = 32

/**
 * Loads a sentence model: the tokenizer of its publisher, the ONNX model, and how vectors of tokens are pooled
 * (Reimers & Gurevych 2019, Sentence-BERT). Each text is computed by itself, without padding, because the activations of
 * int8 models are quantized over everything that is computed together: the same text always gives the same vector.
 * @throws Error if a package or file cannot be loaded
 */
export const loadSentenceEncoder = async (
  { model, tokenizer: tokenizerFile, pooling, maxTokens, prefixes }: SentenceModelFiles,
  threads: number,
): Promise<SentenceEncoder> => {
  const [{ InferenceSession, Tensor: OnnxTensor }, { Tokenizer }] = await Promise.all([
    import("onnxruntime-node"),
    import("@huggingface/tokenizers"),
  ])
  const tokenizer = new Tokenizer(JSON.parse(await readFile(tokenizerFile, "utf8")), {})
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Threads that spin between texts would take the processor from other work.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  })
  const output = session.outputNames.includes("last_hidden_state") ? "last_hidden_state" : session.outputNames[0]!

  const tokenize = (text: string, kind: "document" | "query"): number[] => {
    const { ids } = tokenizer.encode(prefixes[kind] + text.slice(0, maxTokens * MAX_CHARS_PER_TOKEN))
    return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids.at(-1)!]
  }

  const run = async (ids: readonly number[]): Promise<Tensor> => {
    const shape = [1, ids.length]
    const tensor = (value: (id: number) => bigint) => new OnnxTensor("int64", BigInt64Array.from(ids, value), shape)
    const inputs: Record<string, Tensor> = { input_ids: tensor(BigInt), attention_mask: tensor(() => 1n) }
    if (session.inputNames.includes("token_type_ids")) inputs.token_type_ids = tensor(() => 0n)
    return (await session.run(inputs))[output]!
  }

  return {
    tokenize,
    encode: async (text, kind) => {
      const states = await run(tokenize(text, kind))
      if (!(states.data instanceof Float32Array) || states.dims.length !== 3)
        throw new Error(
          `its output is ${states.type}[${states.dims.join(", ")}] instead of float32[1, tokens, dimensions]`,
        )
      return toUnitLength(pool(states.data, states.dims[2]!, pooling))
    },
  }
}

/** Returns the mean of the rows of a matrix with `width` columns, or its first row. */
const pool = (states: Float32Array, width: number, pooling: "mean" | "first"): Float64Array => {
  const rows = pooling === "first" ? 1 : states.length / width
  const sum = new Float64Array(width)
  for (let at = 0; at < rows * width; at++) sum[at % width]! += states[at]!
  return sum.map((x) => x / rows)
}

/** @throws Error if the vector has no length, which shows that the model is damaged or another kind of model */
const toUnitLength = (vector: Float64Array): Float32Array => {
  const length = Math.hypot(...vector)
  if (!(length > 0 && Number.isFinite(length))) throw new Error("it returned a vector without a length")
  return Float32Array.from(vector, (x) => x / length)
}
