import * as z from "zod"

/** A model for speech or embeddings that is installed or can be downloaded. */
export const speechModel = z.object({
  name: z.string().describe("The name of the model"),
  use: z.string().describe("What the service uses the model for, such as `speech` or `embedding`"),
  purpose: z.string().describe("What the model is good at"),
  bytes: z.number().describe("The installed size, or the approximate download size"),
  fetched_bytes: z.number().describe("The bytes that a running or interrupted download has received"),
  languages: z
    .array(z.string())
    .nullable()
    .describe("Language codes. Null if the model is language-independent or its languages are unknown"),
  licence: z.string().describe("The licence of the model"),
  state: z
    .enum(["absent", "partial", "present", "own"])
    .describe("`partial` is an interrupted download, `own` a folder that a user added"),
  in_use: z.boolean().describe("True for the embedding model that the service has chosen"),
  pulling: z.boolean().describe("True while the service downloads it"),
  problem: z.string().optional().describe("Why the last download failed"),
})
export type SpeechModel = z.infer<typeof speechModel>
