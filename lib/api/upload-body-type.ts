/** Media type of a part of a resumable upload (tus 1.0.0). */
export const UPLOAD_BODY_TYPE = "application/offset+octet-stream"
