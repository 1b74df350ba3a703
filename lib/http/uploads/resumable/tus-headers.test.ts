import { describe, expect, it } from "vitest"
import {
  hasPart,
  readChecksum,
  readUploadLength,
  readUploadMetadata,
  readUploadOffset,
  requireTusVersion,
  tusOptions,
} from "./tus-headers.ts"

const request = (headers: Record<string, string>) => new Request("http://host/uploads", { method: "POST", headers })
const base64 = (text: string) => Buffer.from(text).toString("base64")

it("a client learns what the service can do", () => {
  expect(tusOptions(1000)).toEqual({
    "tus-resumable": "1.0.0",
    "tus-version": "1.0.0",
    "tus-extension": "creation,creation-with-upload,termination,checksum,expiration",
    "tus-checksum-algorithm": "sha1,sha256,md5",
    "tus-max-size": "1000",
  })
})

it("a request names the version of the protocol", () => {
  expect(() => requireTusVersion(request({ "tus-resumable": "1.0.0" }))).not.toThrow()
  const messageFor = (headers: Record<string, string>) => {
    try {
      requireTusVersion(request(headers))
    } catch (error) {
      expect(error).toMatchObject({ code: "precondition_failed" })
      return (error as Error).message
    }
    return null
  }
  expect(messageFor({})).toBe("Tus-Resumable: missing. Send 'Tus-Resumable: 1.0.0'.")
  expect(messageFor({ "tus-resumable": "0.2.2" })).toBe("Tus-Resumable: not supported. Send 'Tus-Resumable: 1.0.0'.")
})

describe("offset and length", () => {
  it("are whole numbers of up to 15 digits", () => {
    expect(readUploadOffset(request({ "upload-offset": "0" }))).toBe(0)
    expect(readUploadLength(request({ "upload-length": "999999999999999" }))).toBe(999_999_999_999_999)
    for (const given of ["", "-1", "1.5", "1e3", "x7", "7x", "1".repeat(16)])
      expect(() => readUploadOffset(request({ "upload-offset": given })), given).toThrow(
        "Upload-Offset: must be a number of bytes",
      )
  })

  it("are required, and an error names the header", () => {
    const msg = "missing; send a number of bytes"
    const read = () => readUploadLength(request({}))
    expect(read).toThrow(`Upload-Length: ${msg}`)
    expect(read).toThrow(
      expect.objectContaining({
        code: "invalid",
        errors: [{ loc: ["header", "upload-length"], msg, type: "invalid_format" }],
      }) as Error,
    )
    expect(() => readUploadLength(request({ "upload-defer-length": "1" }))).toThrow(
      "Upload-Defer-Length: not supported; send Upload-Length with the size of the file",
    )
  })
})

describe("metadata", () => {
  const read = (metadata: string) => readUploadMetadata(request({ "upload-metadata": metadata }))

  it("contain the name of the file, under one of two keys", () => {
    const metadata = `filename ${base64("Größe.mp3")}, name ${base64("other.mp3")},is_private`
    expect(read(metadata)).toEqual({ name: "Größe.mp3", metadata })
    expect(read(`type ${base64("audio/mpeg")},name ${base64("talk.mp3")}`).name).toBe("talk.mp3")
    expect(readUploadMetadata(request({}))).toEqual({ name: "recording", metadata: "" })
  })

  it("are keys with values in Base64, up to 4096 characters", () => {
    for (const metadata of ["filename a b", "filename !", ",", `a YQ==,,b YQ==`, "filename YQ==="])
      expect(() => read(metadata), metadata).toThrow(
        "Upload-Metadata: must be keys with values in Base64, separated by commas",
      )
    const longest = `a ${"A".repeat(4094)}`
    expect(read(longest).metadata).toBe(longest)
    expect(() => read(`${longest}A`)).toThrow("Upload-Metadata: longer than 4096 characters")
  })
})

describe("a checksum", () => {
  const read = (checksum: string) => readChecksum(request({ "upload-checksum": checksum }))

  it("is an algorithm and a digest of its length", () => {
    expect(readChecksum(request({}))).toBeUndefined()
    for (const [algorithm, bytes] of [
      ["sha1", 20],
      ["sha256", 32],
      ["md5", 16],
    ] as const) {
      const digest = Buffer.alloc(bytes, 7)
      expect(read(`${algorithm} ${digest.toString("base64")}`)).toEqual({ algorithm, digest })
      const short = digest.subarray(1).toString("base64")
      for (const given of [algorithm, `${algorithm} ${short}`, `crc32 ${digest.toString("base64")}`])
        expect(() => read(given), given).toThrow("Upload-Checksum: must be sha1, sha256, md5 with the digest in Base64")
    }
  })
})

describe("the body", () => {
  it("is a part of the file, or missing", () => {
    expect(hasPart(request({ "content-type": "application/offset+octet-stream; a=b" }))).toBe(true)
    expect(hasPart(request({}))).toBe(false)
    expect(hasPart(request({ "content-type": "text/plain", "content-length": "0" }))).toBe(false)
  })

  it("has the right type", () => {
    const body = "The body must be application/offset+octet-stream"
    expect(() => hasPart(request({ "content-length": "1" }))).toThrow(`${body}.`)
    expect(() => hasPart(request({ "content-length": "1", "content-type": "Text/Plain" }))).toThrow(
      `${body}, not text/plain.`,
    )
    expect(() => hasPart(request({ "transfer-encoding": "chunked", "content-type": "a/b" }))).toThrow(
      `${body}, not a/b.`,
    )
  })
})
