import * as z from "zod"
import { cleanName } from "./schemas.ts"

/** The number of tags of one clip, and of clips that one request may change. */
export const MAX_TAGS = 50
export const MAX_LABELED_CLIPS = 1000

/** Two tags are the same if they differ in capital and small letters only. */
export const tagKey = (tag: string): string => tag.toLowerCase()

const tag = z
  .string()
  .overwrite(cleanName)
  .min(1)
  .max(100)
  .refine((text) => !text.includes(","), { error: "must not contain a comma" })

/** A list of tags, each once. The first spelling of a tag counts. */
export const tagList = z
  .array(tag)
  .max(MAX_TAGS)
  .overwrite((tags) => [...new Map([...tags].reverse().map((name) => [tagKey(name), name])).values()].reverse())

/** A change to the labels of clips: their tags, and whether they are favorites. */
export const labelChange = z.object({
  add_tags: tagList.optional().describe("Tags to add. Those that a clip has are kept"),
  remove_tags: tagList.optional().describe("Tags to remove. Those that a clip does not have are ignored"),
  favorite: z.boolean().optional().describe("True marks the clip as a favorite; false removes the mark"),
})
export type LabelChange = z.infer<typeof labelChange>

export const labelRequest = labelChange
  .extend({
    ids: z.array(z.string().min(1).max(200)).min(1).max(MAX_LABELED_CLIPS).describe("The clips to change"),
  })
  .refine(({ ids: _, ...change }) => Object.keys(change).length > 0, {
    error: "must have at least one of add_tags, remove_tags, favorite",
  })
export type LabelRequest = z.infer<typeof labelRequest>

export const labelResponse = z.object({
  updated: z.array(z.string()).describe("The clips that have changed"),
  unchanged: z.array(z.string()).describe("The clips that were like this already"),
  failed: z
    .array(z.object({ id: z.string().describe("The clip"), detail: z.string().describe("What happened") }))
    .describe("The clips that could not be changed, such as unknown ones"),
})
export type LabelResponse = z.infer<typeof labelResponse>

export const tagCount = z.object({
  name: z.string().describe("The tag"),
  clips: z.int().min(1).describe("The number of clips that have it"),
})
export type TagCount = z.infer<typeof tagCount>

export const tagCounts = z.object({ tags: z.array(tagCount).describe("The tags that clips have, most used first") })
export type TagCounts = z.infer<typeof tagCounts>

const valueCount = (value: string) =>
  z.object({
    name: z.string().describe(value),
    clips: z.int().min(1).describe("The number of clips"),
  })

/** The values that filters of the library can have, each with its number of clips. */
export const clipFacets = z.object({
  total: z.int().min(0).describe("The number of clips"),
  favorites: z.int().min(0).describe("The number of favorites"),
  tags: z.array(tagCount).describe("The tags, most used first"),
  speakers: z.array(valueCount("The name of the speaker")).describe("The names of speakers, most frequent first"),
  languages: z.array(valueCount("The language code")).describe("The languages, most frequent first"),
  subjects: z
    .array(
      z.object({
        id: z.int().min(0).describe("The ID of the region"),
        name: z.string().describe("The name of the region"),
        clips: z.int().min(1).describe("The number of clips with a topic there"),
      }),
    )
    .describe("The regions of the map, largest first. Empty until the map is computed"),
})
export type ClipFacets = z.infer<typeof clipFacets>
