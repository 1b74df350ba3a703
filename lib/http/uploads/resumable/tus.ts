import { AppError } from "../../../domain/errors.ts"
import { appendToUpload, stopReceiving } from "../../../services/uploads/resumable/append-part.ts"
import {
  createUpload,
  getUpload,
  removeUpload,
  type UploadRef,
} from "../../../services/uploads/resumable/resumable-uploads.ts"
import type { ResumableUpload } from "../../../storage/stores/ports/resumable-uploads.ts"
import { readChunks } from "../../body.ts"
import { getHttpDeps, type HttpDeps } from "../../container.ts"
import type { METHODS } from "../../responses/error-response.ts"
import type { Received, RouteHandler } from "../../route.ts"
import {
  hasPart,
  readChecksum,
  readUploadLength,
  readUploadMetadata,
  readUploadOffset,
  requireTusVersion,
  TUS_VERSION,
  tusOptions,
} from "./tus-headers.ts"

const stateHeaders = ({ offset, size, expiresAt }: ResumableUpload): Record<string, string> => ({
  "upload-offset": String(offset),
  "cache-control": "no-store",
  ...(offset < size && { "upload-expires": new Date(expiresAt).toUTCString() }),
})

const append = (deps: HttpDeps, ref: UploadRef, request: Request, start: number): Promise<ResumableUpload> =>
  appendToUpload(deps, ref, { start, body: readChunks(request.body), checksum: readChecksum(request) })

/** Starts an upload and receives its first part, if the request has one. @throws AppError */
export const receiveNewUpload = async (deps: HttpDeps, request: Request): Promise<Received<Response>> => {
  requireTusVersion(request)
  const upload = { ...readUploadMetadata(request), size: readUploadLength(request) }
  const hasBody = hasPart(request)
  return {
    identity: upload,
    run: async (operationId) => {
      const created = await createUpload(deps, upload, operationId)
      const current = hasBody ? await append(deps, created, request, 0) : created
      const headers = { ...stateHeaders(current), location: `/uploads/${created.id}` }
      return new Response(null, { status: 201, headers })
    },
    discard: async () => undefined,
  }
}

/** Returns the state of an upload. A request that still receives a part of it is ended, as its client asks where to continue. */
export const describeUpload = async (deps: HttpDeps, request: Request, ref: UploadRef): Promise<Response> => {
  requireTusVersion(request)
  await stopReceiving(ref.id)
  const upload = await getUpload(deps, ref)
  const metadata = upload.metadata === "" ? {} : { "upload-metadata": upload.metadata }
  return new Response(null, {
    headers: { ...stateHeaders(upload), "upload-length": String(upload.size), ...metadata },
  })
}

/** Appends the body of a request to an upload. @throws AppError */
export const receiveUploadPart = async (deps: HttpDeps, request: Request, ref: UploadRef): Promise<Response> => {
  requireTusVersion(request)
  const start = readUploadOffset(request)
  if (!hasPart(request) && request.headers.get("content-type") === null)
    throw new AppError("unsupported_media", "Send the part as application/offset+octet-stream.")
  return new Response(null, { status: 204, headers: stateHeaders(await append(deps, ref, request, start)) })
}

/** Deletes an upload. @throws AppError `not_found` */
export const deleteUpload = async (deps: HttpDeps, request: Request, ref: UploadRef): Promise<void> => {
  requireTusVersion(request)
  await stopReceiving(ref.id)
  await removeUpload(deps, ref)
}

type Routes = Record<(typeof METHODS)[number], RouteHandler>

/**
 * Adds the version of the protocol to all responses, and its extensions to the answers to OPTIONS and to another version. The
 * functions keep their names.
 */
export const withTusHeaders = (routes: Routes): Routes => {
  const withHeaders = (handler: RouteHandler): RouteHandler => {
    const handleWithHeaders: RouteHandler = async (request, context) => {
      const response = await handler(request, context)
      const isQuestion = request.method === "OPTIONS" || response.status === 412
      const headers = isQuestion
        ? tusOptions(getHttpDeps().config.http.maxUploadBytes)
        : { "tus-resumable": TUS_VERSION }
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
      return response
    }
    return Object.defineProperty(handleWithHeaders, "name", { value: handler.name })
  }
  return Object.fromEntries(Object.entries(routes).map(([method, handler]) => [method, withHeaders(handler)])) as Routes
}
