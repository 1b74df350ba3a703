import type { McpServer, ReadResourceResult } from "@modelcontextprotocol/server"
import * as z from "zod"
import { TEXT_EXPORT_FORMATS } from "../domain/constants.ts"
import { mediaTypeOf } from "../domain/export/index.ts"
import type { Logger } from "../platform/logger.ts"
import type { Api } from "../services/local-api.ts"
import { sentenceOf } from "./tool.ts"

type Sdk = typeof import("@modelcontextprotocol/server")

/** The format of a clip whose address names none: Markdown with title, topics, summaries and transcript. */
const DEFAULT_FORMAT = "md"
const MAX_LISTED = 100
const textFormat = z.enum(TEXT_EXPORT_FORMATS)
const MAX_COMPLETIONS = 100

export const clipUri = (id: string): string => `earmark://clips/${encodeURIComponent(id)}`

/** Registers the clips as resources: one address per clip, and one per clip and export format. */
export const registerClipResources = (
  server: McpServer,
  { sdk, api, log }: { readonly sdk: Sdk; readonly api: Api; readonly log: Logger },
): void => {
  const read = async (uri: URL, id: string, format: string): Promise<ReadResourceResult> => {
    const known = textFormat.safeParse(format)
    if (!known.success)
      throw new sdk.ResourceNotFoundError(
        uri.href,
        `There is no format '${format}'. Use ${TEXT_EXPORT_FORMATS.join(", ")}.`,
      )
    try {
      const text = await api.exportClip(decodeURIComponent(id), known.data)
      return { contents: [{ uri: uri.href, mimeType: mediaTypeOf(known.data), text }] }
    } catch (error) {
      throw new sdk.ResourceNotFoundError(uri.href, sentenceOf(error, log))
    }
  }
  const list = async () => {
    const { clips } = await api.clips({ limit: MAX_LISTED })
    return {
      resources: clips.map(({ id, title, created_at }) => ({
        uri: clipUri(id),
        name: title,
        mimeType: mediaTypeOf(DEFAULT_FORMAT),
        annotations: { lastModified: created_at },
      })),
    }
  }
  const completeId = async (start: string) =>
    (await api.clips({ limit: MAX_COMPLETIONS })).clips.map(({ id }) => id).filter((id) => id.startsWith(start))
  const completeFormat = (start: string) => TEXT_EXPORT_FORMATS.filter((format) => format.startsWith(start))

  server.registerResource(
    "clip",
    new sdk.ResourceTemplate("earmark://clips/{id}", { list, complete: { id: completeId } }),
    {
      title: "Recording",
      description: "Title, topics with summaries, and transcript of a recording",
      mimeType: mediaTypeOf(DEFAULT_FORMAT),
    },
    (uri, { id }) => read(uri, String(id), DEFAULT_FORMAT),
  )
  server.registerResource(
    "clip-export",
    new sdk.ResourceTemplate("earmark://clips/{id}/{format}", {
      list: undefined,
      complete: { id: completeId, format: completeFormat },
    }),
    { title: "Recording in a format", description: `A recording as ${TEXT_EXPORT_FORMATS.join(", ")}` },
    (uri, { id, format }) => read(uri, String(id), String(format)),
  )
}
