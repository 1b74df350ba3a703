const TYPES: Readonly<Record<string, string>> = {
  aac: "audio/aac",
  ac3: "audio/ac3",
  aiff: "audio/aiff",
  amr: "audio/amr",
  ape: "audio/x-ape",
  asf: "audio/x-ms-wma",
  au: "audio/basic",
  avi: "video/x-msvideo",
  caf: "audio/x-caf",
  flac: "audio/flac",
  flv: "video/x-flv",
  mp3: "audio/mpeg",
  mp4: "audio/mp4",
  "mpeg-ps": "video/mpeg",
  "mpeg-ts": "video/mp2t",
  ogg: "audio/ogg",
  wav: "audio/wav",
  wavpack: "audio/x-wavpack",
}

/** Returns the media type of a container format, never one that a browser would execute or render as a page. */
export const mediaTypeOf = (format: string, head: Uint8Array): string => {
  // Matroska and WebM share their first bytes; the document type follows shortly after.
  if (format === "matroska")
    return Buffer.from(head.subarray(0, 64)).includes("webm") ? "audio/webm" : "audio/x-matroska"
  return TYPES[format] ?? "application/octet-stream"
}
