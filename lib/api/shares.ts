import * as z from "zod"
import { share, shareRequest } from "../domain/shares.ts"
import { clipParams } from "./clips.ts"
import { type Endpoints, requestWarnings } from "./endpoint.ts"

const shareParams = z.object({ id: z.string().min(1).describe("The ID of the share link") })
const linkParams = z.object({ token: z.string().min(1).describe("The secret at the end of the link") })
const sharesQuery = z.object({
  clip_id: z.string().min(1).max(200).optional().describe("Only the links of this clip"),
})

const shareList = z.object({ shares: z.array(share).describe("Newest first, including expired ones; at most 1000") })
export type ShareList = z.infer<typeof shareList>

const createdShare = share.extend({ warnings: requestWarnings })

export const shareEndpoints = {
  listShares: {
    method: "GET",
    path: "/shares",
    scope: "write",
    summary: "Lists share links, newest first",
    call: "shares",
    needs: ["rag"],
    query: sharesQuery,
    response: { name: "ShareList", schema: shareList },
    errors: [404],
  },
  createShare: {
    method: "POST",
    path: "/clips/{id}/shares",
    scope: "write",
    summary: "Creates a link that shows a recording, or one topic of it, to anybody who has the link",
    call: "createShare",
    needs: ["rag"],
    params: clipParams,
    body: {
      name: "ShareRequest",
      schema: shareRequest,
      example: { topic: "1.2", with_audio: true, expires_at: "2027-02-21T08:00:00Z" },
    },
    status: 201,
    response: { name: "CreatedShare", schema: createdShare },
    location: "/shares",
    errors: [409, 507],
  },
  revokeShare: {
    method: "DELETE",
    path: "/shares/{id}",
    scope: "write",
    summary: "Revokes a share link. Its page stops working immediately",
    call: "revokeShare",
    needs: ["rag"],
    params: shareParams,
    status: 204,
  },
  openShare: {
    method: "GET",
    path: "/share/{token}",
    scope: null,
    summary: "Returns the page of a share link, without a token",
    needs: ["rag"],
    params: linkParams,
    types: ["text/html"],
  },
  sharedAudio: {
    method: "GET",
    path: "/share/{token}/audio",
    scope: null,
    summary: "Returns the audio of a share link, without a token. Supports range requests",
    needs: ["rag"],
    params: linkParams,
    types: ["audio/*"],
    headers: ["ETag", "Last-Modified", "Accept-Ranges"],
    otherStatuses: {
      206: {
        description: "The requested range",
        hasBody: true,
        headers: ["ETag", "Last-Modified", "Accept-Ranges", "Content-Range"],
      },
      304: { description: "Not modified", headers: ["ETag"] },
    },
    errors: [415, 416],
  },
} as const satisfies Endpoints
