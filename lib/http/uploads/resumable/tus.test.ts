import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openTestNode, type TestNode } from "../../../services/testing/open-test-node.ts"
import { type HttpDeps, setHttpDeps } from "../../container.ts"
import type { RouteHandler } from "../../route.ts"
import { createJobParser } from "../job-parser.ts"
import { deleteUpload, describeUpload, receiveNewUpload, receiveUploadPart, withTusHeaders } from "./tus.ts"

let node: TestNode
let deps: HttpDeps
beforeAll(async () => {
  node = await openTestNode({ SERVICE_MAX_UPLOAD_MB: "1" })
  const never = () => Promise.reject(new Error("no map"))
  const viz = { compose: never, refit: never, embedTerms: never, close: async () => undefined }
  deps = { ...node, viz, parseJob: createJobParser(), root: "/", stopping: new AbortController().signal }
  setHttpDeps(deps)
})
afterAll(() => node.end())

const RECORDING = Buffer.from("RIFF\0\0\0\0WAVE and sound")
const PART = { "content-type": "application/offset+octet-stream" }

const request = (method: string, headers: Record<string, string> = {}, body?: Uint8Array<ArrayBuffer>) =>
  new Request("http://host/uploads", {
    method,
    headers: { "tus-resumable": "1.0.0", ...headers },
    ...(body && { body }),
  })
const create = async (headers: Record<string, string> = {}, body?: Uint8Array<ArrayBuffer>) => {
  const size = { "upload-length": `${RECORDING.byteLength}` }
  const received = await receiveNewUpload(deps, request("POST", { ...size, ...headers }, body))
  const response = await received.run(`upload ${Math.random()}`)
  return { received, response, id: response.headers.get("location")!.replace("/uploads/", "") }
}
const headersOf = (response: Response, ...names: string[]) => names.map((name) => response.headers.get(name))

describe("a resumable upload over HTTP", () => {
  it("is created, continued, described and deleted", async () => {
    const metadata = `filename ${Buffer.from("talk.wav").toString("base64")}`
    const { received, response, id } = await create({ "upload-metadata": metadata })
    expect(received.identity).toEqual({ name: "talk.wav", metadata, size: RECORDING.byteLength })
    expect([response.status, ...headersOf(response, "upload-offset", "cache-control")]).toEqual([201, "0", "no-store"])
    const headers = { ...PART, "upload-offset": "0" }
    const first = await receiveUploadPart(deps, request("PATCH", headers, RECORDING.subarray(0, 15)), { id })
    expect([first.status, ...headersOf(first, "upload-offset")]).toEqual([204, "15"])
    const state = await describeUpload(deps, request("HEAD"), { id })
    expect(headersOf(state, "upload-offset", "upload-length", "upload-metadata", "cache-control")).toEqual([
      "15",
      `${RECORDING.byteLength}`,
      metadata,
      "no-store",
    ])
    const expires = Date.parse(state.headers.get("upload-expires")!)
    expect(Math.abs(expires - Date.now() - node.config.retention.partialUploadsMs)).toBeLessThan(60_000)
    await deleteUpload(deps, request("DELETE"), { id })
    await expect(describeUpload(deps, request("HEAD"), { id })).rejects.toMatchObject({ code: "not_found" })
  })

  it("may be complete with the request that creates it, and then no longer shows when it expires", async () => {
    const { response, id } = await create(PART, RECORDING)
    expect(headersOf(response, "upload-offset", "upload-expires")).toEqual([`${RECORDING.byteLength}`, null])
    const state = await describeUpload(deps, request("HEAD"), { id })
    expect(headersOf(state, "upload-expires", "upload-metadata")).toEqual([null, null])
  })

  it("needs the version of the protocol in each request, and the type of a part", async () => {
    const { id } = await create()
    const old = { "tus-resumable": "0.2" }
    const rejected = { code: "precondition_failed" }
    await expect(create(old)).rejects.toMatchObject(rejected)
    await expect(
      receiveUploadPart(deps, request("PATCH", { ...old, "upload-offset": "0" }), { id }),
    ).rejects.toMatchObject(rejected)
    await expect(describeUpload(deps, request("HEAD", old), { id })).rejects.toMatchObject(rejected)
    await expect(deleteUpload(deps, request("DELETE", old), { id })).rejects.toMatchObject(rejected)
    await expect(receiveUploadPart(deps, request("PATCH", { "upload-offset": "0" }), { id })).rejects.toMatchObject({
      code: "unsupported_media",
      message: "Send the part as application/offset+octet-stream.",
    })
    const checksum = { ...PART, "upload-offset": "0", "upload-checksum": `md5 ${Buffer.alloc(16).toString("base64")}` }
    await expect(receiveUploadPart(deps, request("PATCH", checksum, RECORDING), { id })).rejects.toMatchObject({
      code: "checksum_mismatch",
    })
  })
})

it("all responses name the version, and the answers to a question what the service supports", async () => {
  const handlerOf = (status: number): RouteHandler => {
    const handle: RouteHandler = async () => new Response(null, { status })
    return handle
  }
  const handlers = { GET: handlerOf(200), PATCH: handlerOf(412), OPTIONS: handlerOf(204) }
  const routes = withTusHeaders(handlers as unknown as Parameters<typeof withTusHeaders>[0])
  const ask = async (method: keyof typeof handlers) => {
    const response = await routes[method](request(method), {} as never)
    return headersOf(response, "tus-resumable", "tus-max-size")
  }
  expect(await ask("GET")).toEqual(["1.0.0", null])
  for (const method of ["PATCH", "OPTIONS"] as const) expect(await ask(method)).toEqual(["1.0.0", `${2 ** 20}`])
  expect(routes.GET.name).toBe("handle")
})
