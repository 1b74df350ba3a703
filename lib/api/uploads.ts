import * as z from "zod"
import type { Endpoints, RequestHeader } from "./endpoint.ts"
import { UPLOAD_BODY_TYPE } from "./upload-body-type.ts"

export const uploadParams = z.object({ id: z.string().min(1).max(100).describe("The ID of the upload") })

const VERSION: RequestHeader = {
  name: "Tus-Resumable",
  isRequired: true,
  description: "The version of the tus protocol",
  example: "1.0.0",
}
const OFFSET: RequestHeader = {
  name: "Upload-Offset",
  isRequired: true,
  description: "The position of the first byte of the body: the number of bytes that are stored already",
  example: "16777216",
}
const CHECKSUM: RequestHeader = {
  name: "Upload-Checksum",
  description: "An algorithm (`sha1`, `sha256` or `md5`) and the digest of the body in Base64",
  example: "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
}

/** Uploads in several requests, by the tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload). */
export const uploadEndpoints = {
  createUpload: {
    method: "POST",
    path: "/uploads",
    scope: "write",
    summary:
      "Starts an upload that can be resumed (tus 1.0.0). `Location` is its address. The body, if there is one, is its first part",
    needs: ["rag"],
    rawBody: { type: UPLOAD_BODY_TYPE, isRequired: false },
    requestHeaders: [
      VERSION,
      {
        name: "Upload-Length",
        isRequired: true,
        description: "The size of the file in bytes, at most SERVICE_MAX_UPLOAD_MB",
        example: "314572800",
      },
      {
        name: "Upload-Metadata",
        description: "Keys with values in Base64. `filename` is the name of the recording",
        example: "filename dGFsay5tcDM=",
      },
      CHECKSUM,
    ],
    status: 201,
    headers: ["Location", "Tus-Resumable", "Upload-Offset", "Upload-Expires"],
    errors: [412, 460, 507],
  },
  getUpload: {
    method: "HEAD",
    path: "/uploads/{id}",
    scope: "read",
    summary: "Returns how many bytes of an upload are stored",
    needs: ["rag"],
    params: uploadParams,
    requestHeaders: [VERSION],
    headers: ["Tus-Resumable", "Upload-Offset", "Upload-Length", "Upload-Metadata", "Upload-Expires"],
    errors: [412],
  },
  appendToUpload: {
    method: "PATCH",
    path: "/uploads/{id}",
    scope: "write",
    summary:
      "Appends the body to an upload. If the connection breaks, what has arrived is kept; ask for the offset and send the rest",
    needs: ["rag"],
    params: uploadParams,
    rawBody: { type: UPLOAD_BODY_TYPE, isRequired: true },
    requestHeaders: [VERSION, OFFSET, CHECKSUM],
    status: 204,
    headers: ["Tus-Resumable", "Upload-Offset", "Upload-Expires"],
    errors: [409, 412, 460, 507],
  },
  deleteUpload: {
    method: "DELETE",
    path: "/uploads/{id}",
    scope: "write",
    summary: "Deletes an upload with its parts. A job that uses the file keeps it",
    needs: ["rag"],
    params: uploadParams,
    requestHeaders: [VERSION],
    status: 204,
    headers: ["Tus-Resumable"],
    errors: [412],
  },
} as const satisfies Endpoints
