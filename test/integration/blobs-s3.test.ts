import { CreateMultipartUploadCommand, PutObjectCommand } from "@aws-sdk/client-s3"
import { afterAll, beforeAll } from "vitest"
import { openS3 } from "#lib/blobs/s3/index.ts"
import { testBlobs } from "#lib/blobs/testing/blobs.testsuite.ts"
import { loadConfig } from "#lib/config.ts"
import { incomingName } from "#lib/scratch.ts"
import { KEY, type Swift, startSwift } from "../fixtures/swift.ts"

let swift: Swift
beforeAll(async () => {
  Object.assign(process.env, KEY)
  swift = await startSwift()
})
afterAll(() => swift.close())

const openAt = (url: string, limits = {}) => {
  const { place } = loadConfig({ SERVICE_BLOB_URL: url }).blobs
  if (place.kind !== "s3") throw new Error("no bucket")
  return openS3(place, limits)
}

testBlobs("S3 (Swift)", async () => {
  const bucket = await swift.bucket()
  const prefix = "recordings of ours/"
  // Small, so that a few megabytes are sent and copied in parts.
  const blobs = await openAt(swift.url(bucket, encodeURIComponent("recordings of ours")), {
    part: 5 * 2 ** 20,
    copyPart: 5 * 2 ** 20,
  })
  return {
    blobs,
    everything: () => swift.objects(bucket),
    abandon: async (mine) => {
      const name = mine ? incomingName().replace(/\d+/, "999999999") : ".incoming-999999999-00000000-of-another"
      const Key = `${prefix}incoming/${name.slice(1)}`
      await swift.client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: "half" }))
      await swift.client.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: `${Key}-parts` }))
    },
    teardown: async () => blobs.close(),
  }
})
