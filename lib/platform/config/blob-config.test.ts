import { describe, expect, it } from "vitest"
import { loadConfig } from "./config.ts"

const place = (url?: string) =>
  loadConfig({ SERVICE_DATA_DIR: "/data", ...(url && { SERVICE_BLOB_URL: url }) }).blobs.place

describe("SERVICE_BLOB_URL", () => {
  it("names a folder or a bucket, and defaults to the uploads in the data folder", () => {
    expect(place()).toEqual({ kind: "folder", dir: "/data/uploads" })
    expect(place("file:///mnt/my%20recordings/")).toEqual({ kind: "folder", dir: "/mnt/my recordings" })
    expect(place("s3://talks")).toEqual({
      kind: "s3",
      bucket: "talks",
      prefix: "",
      endpoint: undefined,
      region: undefined,
      pathStyle: false,
    })
    expect(place("s3://talks/a/b/?endpoint=http://127.0.0.1:9000/&region=eu-central-1")).toEqual({
      kind: "s3",
      bucket: "talks",
      prefix: "a/b/",
      endpoint: "http://127.0.0.1:9000",
      region: "eu-central-1",
      pathStyle: true,
    })
    expect(place("s3://talks?endpoint=https://s3.example&path_style=false")).toMatchObject({ pathStyle: false })
  })

  for (const [url, why] of [
    ["/mnt/recordings", /must look like/],
    ["https://bucket/x", /must look like/],
    ["file://host/x", /must look like/],
    ["file:recordings", /must look like/],
    ["file:///", /must look like/],
    ["s3://", /must look like/],
    ["s3://Bucket_Of_Mine!/x", /must look like/],
    ["s3://talks/..%2Fother", /must look like/],
    ["s3://KEY:secret@talks", /AWS_ACCESS_KEY_ID/],
    ["s3://talks?endpont=x", /unknown parameter 'endpont'/],
    ["s3://talks?endpoint=ftp://x", /endpoint/],
    ["s3://talks?path_style=perhaps", /path_style/],
  ] as const)
    it(`rejects ${url}`, () => {
      let message = "taken"
      try {
        message = JSON.stringify(place(url))
      } catch (error) {
        message = (error as Error).message
      }
      expect(message).toMatch(why)
      expect(message).not.toContain("secret")
    })
})
