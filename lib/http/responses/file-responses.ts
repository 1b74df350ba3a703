import { Readable } from "node:stream"
import { matchesFormat } from "../../documents/formats.ts"
import { formatContentDisposition } from "../../domain/export/file-name.ts"
import type { ClipAudio } from "../../services/clips/clip-audio.ts"
import type { DocumentFile } from "../../services/documents/documents.ts"
import type { ExportedFile } from "../../services/export/export-clip.ts"
import { type RangeSource, rangeResponse } from "./range-response.ts"

const toBody = (content: ExportedFile["content"]): BodyInit =>
  content instanceof Readable
    ? (Readable.toWeb(content) as ReadableStream)
    : (content as string | Uint8Array<ArrayBuffer>)

/** Returns an exported transcript as a download. Browsers never show it as a page of this origin. */
export const exportResponse = ({ content, type, name }: ExportedFile): Response =>
  new Response(toBody(content), {
    headers: {
      "content-type": type,
      "content-disposition": formatContentDisposition(name),
      "cache-control": "no-store",
    },
  })

/** Returns a zip file as a download. It is written while the client takes it, so its length is not known. */
export const archiveResponse = (archive: Readable): Response =>
  new Response(Readable.toWeb(archive) as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: {
      "content-type": "application/zip",
      "content-disposition": formatContentDisposition("earmark.zip"),
      "cache-control": "no-store",
    },
  })

/**
 * Returns the file of a document. A PDF opens in the browser's viewer, which runs none of it in this origin. Any other
 * file may be a page with scripts, so it is a download.
 */
export const documentResponse = ({ bytes, name }: DocumentFile): Response => {
  const isPdf = matchesFormat("pdf", bytes)
  const disposition = formatContentDisposition(name)
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": isPdf ? "application/pdf" : "application/octet-stream",
      "content-disposition": isPdf ? disposition.replace(/^attachment/, "inline") : disposition,
      "content-length": String(bytes.length),
      "cache-control": "private, no-cache",
    },
  })
}

/** Returns the audio of a clip, or a redirect if the storage serves it itself. */
export const audioResponse = async (
  request: Request,
  audio: RangeSource & Pick<ClipAudio, "link">,
): Promise<Response> => {
  const location = await audio.link()
  if (location === null) return rangeResponse(request, audio)
  await audio.close()
  return new Response(null, { status: 307, headers: { location, "cache-control": "no-store" } })
}

/** Returns a part of a recording. A player plays it, and a link with `download` saves it. */
export const excerptResponse = async (
  request: Request,
  source: RangeSource,
  { start_s, end_s }: { readonly start_s: number; readonly end_s: number },
): Promise<Response> => {
  const response = await rangeResponse(request, source)
  const name = `excerpt-${Math.floor(start_s)}-${Math.ceil(end_s)}.mp3`
  response.headers.set("content-disposition", formatContentDisposition(name).replace(/^attachment/, "inline"))
  return response
}
