import * as z from "zod"
import { removeNul } from "./schemas.ts"

/** Text in one style. */
const textRun = z.object({
  text: z.string().describe("The text"),
  bold: z.literal(true).optional().describe("True if it is bold"),
  italic: z.literal(true).optional().describe("True if it is italic"),
  struck: z.literal(true).optional().describe("True if it is struck through"),
  code: z.literal(true).optional().describe("True if it is code"),
  href: z.string().optional().describe("The http, https or mailto address that it links to"),
})
export type TextRun = z.infer<typeof textRun>

const runs = z.array(textRun).describe("The text, by style")

/** A part of a document that is laid out as one. */
const contentBlock = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("heading").describe("A heading"),
    level: z.int().min(1).max(6).describe("1 for the outermost"),
    runs,
  }),
  z.object({
    type: z.literal("paragraph").describe("A paragraph. Line breaks in it are kept"),
    label: z.string().optional().describe("What precedes it, such as the time of a subtitle"),
    quoted: z.literal(true).optional().describe("True in a quotation"),
    runs,
  }),
  z.object({
    type: z.literal("item").describe("An item of a list"),
    depth: z.int().min(0).max(8).describe("The number of lists around its own"),
    marker: z.string().describe("A bullet or number. Empty if it continues the item before it"),
    runs,
  }),
  z.object({
    type: z.literal("code").describe("Preformatted text"),
    language: z.string().optional().describe("The programming language that the document names"),
    continues: z.literal(true).optional().describe("True if it continues the block before it"),
    text: z.string().describe("The text"),
  }),
  z.object({
    type: z.literal("row").describe("A row of a table"),
    role: z.enum(["first", "head", "body"]).describe("`head` and `first` begin a table, with and without column names"),
    cells: z.array(runs).describe("The cells"),
  }),
  z.object({ type: z.literal("rule").describe("A line between two parts") }),
])
export type ContentBlock = z.infer<typeof contentBlock>

const range = {
  block: z.int().min(0).describe("The position of the block in its portion"),
  from: z.int().min(0).describe("The first character in the text of the block"),
  to: z.int().min(0).describe("The character after the last one"),
}

/** Where the text of a chunk is in a portion. */
const chunkRange = z.object({ chunk: z.int().min(0).describe("The position of the chunk in the document"), ...range })
export type ChunkRange = z.infer<typeof chunkRange>

export const contentPortion = z.object({
  blocks: z.array(contentBlock).describe("The blocks in order"),
  chunks: z.array(chunkRange).describe("Where the chunks are: one entry for each block that a chunk extends over"),
})
export type ContentPortion = z.infer<typeof contentPortion>

const portionEntry = z.object({
  blocks: z.int().min(0).describe("The number of blocks"),
  characters: z.int().min(0).describe("The number of characters of its text"),
  first_chunk: z.int().min(0).describe("The first chunk that begins in or after the portion"),
  page: z.int().min(1).optional().describe("The page, slide or sheet, if the document has them"),
})
export type PortionEntry = z.infer<typeof portionEntry>

const outlineEntry = z.object({
  portion: z.int().min(0).describe("The position of the portion"),
  block: z.int().min(0).describe("The position of the block in its portion"),
  level: z.int().min(1).max(6).describe("1 for the outermost"),
  text: z.string().describe("The heading"),
})
export type OutlineEntry = z.infer<typeof outlineEntry>

/** Returns what a document contains. Its text is in portions, which are read one by one. */
export const documentContent = z.object({
  from: z
    .enum(["file", "index"])
    .describe("`file`: read from the file. `index`: put together from the chunks, without tables, lists and styles"),
  portions: z.array(portionEntry).describe("The portions in order"),
  outline: z.array(outlineEntry).describe("The headings in order, at most 2 000"),
})
export type DocumentContent = z.infer<typeof documentContent>

export const findInDocumentQuery = z.object({
  q: z.string().overwrite(removeNul).trim().min(1).max(200).describe("The text to find, in any case"),
})

export const documentMatches = z.object({
  total: z.int().min(0).describe("The number of matches, of which at most 1 000 are returned"),
  matches: z
    .array(z.object({ portion: z.int().min(0).describe("The position of the portion"), ...range }))
    .describe("The matches in order"),
})
export type DocumentMatches = z.infer<typeof documentMatches>
