import type { Bucket } from "./client.ts"

/** As long as somebody may listen after opening the page; seconds. */
const LINK_S = 6 * 3600

/** An address that lets whoever has it read this object for a while, shown as of that media type. Nothing is asked. */
export const signLink = async (
  { client, sdk, bucket, prefix, ask }: Bucket,
  key: string,
  type: string,
): Promise<string> => {
  const { getSignedUrl } = await import("@aws-sdk/s3-request-presigner")
  const get = new sdk.GetObjectCommand({ Bucket: bucket, Key: prefix + key, ResponseContentType: type })
  return ask(() => getSignedUrl(client, get, { expiresIn: LINK_S }))
}
