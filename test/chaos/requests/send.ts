import http from "node:http"
import type { ApiAnswer } from "./check-answer.ts"
import type { ApiRequest } from "./requests.ts"

const TIMEOUT_MS = 20_000
/** How long to listen to a stream of events that does not end by itself. */
const STREAM_MS = 30

/** Header values that Node refuses to send are left out. */
const toHeaders = ({ headers, body }: ApiRequest): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(headers).filter(([, value]) => /^[\t\x20-\x7e]*$/.test(value))),
  ...(body && { "content-length": String(body.byteLength) }),
})

/**
 * Sends a request over a kept connection, again if the server has closed that meanwhile.
 * @throws Error if no answer ends within 20 s
 */
export const send = (url: string, agent: http.Agent, request: ApiRequest): Promise<ApiAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const { method, path, body } = request
    const timer = setTimeout(() => {
      outgoing.destroy()
      reject(new Error(`no answer within ${TIMEOUT_MS / 1000} s`))
    }, TIMEOUT_MS)
    const end = (answer: ApiAnswer) => {
      clearTimeout(timer)
      resolve(answer)
    }
    const outgoing = http.request(
      { host: hostname, port, method, path, headers: toHeaders(request), agent },
      (response) => {
        const { statusCode: status = 0, headers } = response
        const chunks: Buffer[] = []
        const finish = () => end({ status, headers, body: Buffer.concat(chunks).toString("utf8") })
        if (headers["content-type"] === "text/event-stream")
          setTimeout(() => {
            finish()
            outgoing.destroy()
          }, STREAM_MS)
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("end", finish)
        response.on("error", () => undefined)
      },
    )
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      if (outgoing.reusedSocket && error.code === "ECONNRESET") resolve(send(url, agent, request))
      else reject(error)
    })
    outgoing.end(body)
  })
