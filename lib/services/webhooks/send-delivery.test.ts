import http from "node:http"
import { Webhook } from "standardwebhooks"
import { afterEach, describe, expect, it } from "vitest"
import { listen } from "#test/fixtures/web.ts"
import { newWebhookSecret } from "../../domain/webhook-signatures.ts"
import type { DeliveryClaim } from "../../storage/stores/ports/webhooks.ts"
import { retryDelayMs, sendDelivery } from "./send-delivery.ts"

const RULES = { ports: "any", allowed: ["127.0.0.1"], allowSetting: "SERVICE_WEBHOOK_ALLOW" } as const
const { signal } = new AbortController()

let server: http.Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

type Received = { headers: http.IncomingHttpHeaders; body: string; url: string }

/** Starts a receiver that answers with the given status. Returns its URL and what it received. */
const receive = async (status: number, headers: http.OutgoingHttpHeaders = {}) => {
  const received: Received[] = []
  server = http.createServer((request, response) => {
    let body = ""
    request.on("data", (part) => (body += part))
    request.on("end", () => {
      received.push({ headers: request.headers, body, url: request.url! })
      response.writeHead(status, headers).end("answer")
    })
  })
  return { url: `${await listen(server)}/hook?a=1`, received }
}

const claimOf = (url: string, changes: Partial<DeliveryClaim> = {}): DeliveryClaim => ({
  id: "01a1",
  webhookId: "w",
  owner: "worker",
  attempt: 1,
  url,
  secret: newWebhookSecret(),
  payload: { type: "clip.deleted", timestamp: "2026-11-23T10:00:00.000Z", data: { id: "x", title: "Ünï" } },
  ...changes,
})

describe("sendDelivery", () => {
  it("sends a request whose signature the reference implementation accepts", async () => {
    const { url, received } = await receive(204)
    const claim = claimOf(url)
    expect(await sendDelivery(claim, RULES, signal)).toEqual({ kind: "delivered", status: 204 })
    const [{ headers, body, url: path }] = received as [Received]
    expect([path, headers["content-type"], headers["webhook-id"]]).toEqual(["/hook?a=1", "application/json", "01a1"])
    expect(new Webhook(claim.secret).verify(body, headers as Record<string, string>)).toEqual(claim.payload)
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers as Record<string, string>)).toThrow()
  })
  for (const [status, isGone] of [
    [500, false],
    [404, false],
    [410, true],
  ] as const)
    it(`fails if the receiver answers ${status}`, async () => {
      const { url } = await receive(status)
      const outcome = await sendDelivery(claimOf(url), RULES, signal)
      expect(outcome).toMatchObject({ kind: "failed", status, error: `HTTP ${status}`, isGone })
    })
  it("waits as long as the receiver asks for, up to two hours", async () => {
    const { url } = await receive(429, { "retry-after": "90" })
    expect(await sendDelivery(claimOf(url), RULES, signal)).toMatchObject({ retryInMs: 90_000 })
    const { url: other } = await receive(503, { "retry-after": "999999" })
    expect(await sendDelivery(claimOf(other), RULES, signal)).toMatchObject({ retryInMs: 7_200_000 })
  })
  it("does not follow a redirect", async () => {
    const { url, received } = await receive(307, { location: "/elsewhere" })
    expect(await sendDelivery(claimOf(url), RULES, signal)).toMatchObject({ kind: "failed", error: "HTTP 307" })
    expect(received).toHaveLength(1)
  })
  it("connects to no private address, also by name, unless a setting allows it", async () => {
    const { url, received } = await receive(200)
    const none = { ...RULES, allowed: [] }
    expect(await sendDelivery(claimOf(url), none, signal)).toMatchObject({
      kind: "failed",
      status: null,
      error: expect.stringMatching(/'127\.0\.0\.1' is not a public address.*SERVICE_WEBHOOK_ALLOW/),
    })
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }]
    const named = claimOf(url.replace("127.0.0.1", "public.example"))
    expect(await sendDelivery(named, { ...none, resolve }, signal)).toMatchObject({ kind: "failed" })
    expect(received).toHaveLength(0)
    expect(await sendDelivery(named, { ...RULES, resolve }, signal)).toMatchObject({ kind: "delivered" })
  })
  it("names the reason if nobody listens", async () => {
    const { url } = await receive(200)
    server!.close()
    expect(await sendDelivery(claimOf(url), RULES, signal)).toMatchObject({
      kind: "failed",
      status: null,
      error: expect.stringMatching(/Couldn't connect to '127\.0\.0\.1:\d+' \(ECONNREFUSED\)/),
    })
  })
  it("has no outcome if the worker stops meanwhile", async () => {
    server = http.createServer(() => undefined)
    const stop = new AbortController()
    const sending = sendDelivery(claimOf(await listen(server)), RULES, stop.signal)
    setTimeout(() => stop.abort(new Error("stopping")), 20)
    await expect(sending).rejects.toThrow("stopping")
  })
})

describe("retryDelayMs", () => {
  it("doubles from one second to two hours, with jitter", () => {
    expect([1, 2, 3, 13].map((n) => retryDelayMs(n, () => 0.5))).toEqual([1000, 2000, 4000, 4_096_000])
    expect([retryDelayMs(14, () => 0.5), retryDelayMs(99, () => 0.5)]).toEqual([7_200_000, 7_200_000])
    expect([retryDelayMs(1, () => 0), retryDelayMs(1, () => 1)]).toEqual([800, 1200])
  })
})
