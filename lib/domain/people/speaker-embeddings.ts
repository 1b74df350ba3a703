import * as z from "zod"

/** The speaker embeddings of a transcript, by one embedder, and when a speaker counts as a person. Never serialized. */
export const speakerEmbeddings = z.object({
  /** The ID of the embedder. Vectors of different embedders are not comparable. */
  embedder: z.string().min(1),
  thresholds: z.object({ apply: z.number(), suggest: z.number(), margin: z.number(), minSeconds: z.number() }),
  speakers: z.array(
    z.object({
      speaker: z.string(),
      /** Of unit length. */
      vector: z.custom<Float32Array>((v) => v instanceof Float32Array),
      /** The length of the speech that the vector was computed from. */
      seconds: z.number().min(0),
    }),
  ),
})
export type SpeakerEmbeddings = z.infer<typeof speakerEmbeddings>
