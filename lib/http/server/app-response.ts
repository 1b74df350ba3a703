import { ServerResponse } from "node:http"
import { REQUEST_ID_HEADER } from "../request-id.ts"
import { codeOfStatus, errorBody } from "../responses/error-response.ts"
import { describeStatus, hasJsonErrorBody } from "./error-responses.ts"
import { discardBody, isStillSending } from "./lingering-close.ts"

/**
 * The response class of the server. It is the only place that intercepts what is written to a response, and does so for
 * two purposes, each of which is enabled separately.
 */
export class AppResponse extends ServerResponse {
  private sendsJsonErrors = false
  private isLingering = false
  /** The JSON body that replaces the original one. Set when the headers of an error are written. */
  private jsonError: string | undefined

  /** Gives errors that have an HTML page, plain text or nothing as their body a JSON body instead. */
  enableJsonErrors(): void {
    this.sendsJsonErrors = true
  }

  /**
   * Delays closing the connection of a response that ends before its request has been received completely, so that the
   * client can read the response.
   */
  enableLingeringClose(): void {
    this.isLingering = true
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    if (!this.sendsJsonErrors || hasJsonErrorBody(this, status, rest.at(-1)))
      return Reflect.apply(super.writeHead, this, [status, ...rest])
    this.jsonError = errorBody({
      detail: describeStatus(status, this.req),
      code: codeOfStatus(status),
      requestId: this.getHeader(REQUEST_ID_HEADER)?.toString(),
    })
    for (const name of ["content-encoding", "etag", "link"]) this.removeHeader(name)
    if (status === 405 && !this.hasHeader("allow")) this.setHeader("allow", "GET, HEAD")
    this.setHeader("content-type", "application/json")
    this.setHeader("content-length", Buffer.byteLength(this.jsonError))
    return super.writeHead(status)
  }

  override write(...args: unknown[]): boolean {
    this.writeImplicitHead()
    if (this.jsonError === undefined) return Reflect.apply(super.write, this, args)
    const callback = findCallback(args)
    if (callback) process.nextTick(callback)
    return true
  }

  override end(...args: unknown[]): this {
    this.writeImplicitHead()
    const callback = findCallback(args)
    const [chunk, encoding] = args.filter((arg) => typeof arg !== "function")
    const body = this.jsonError ?? chunk
    if (this.isLingering && isStillSending(this.req)) return this.endAfterRequest(body, encoding, callback)
    return Reflect.apply(super.end, this, [
      ...(body === undefined ? [] : [body, encoding]),
      ...(callback ? [callback] : []),
    ])
  }

  /** The status decides whether the body is replaced, so it must be known before the first byte of the body. */
  private writeImplicitHead(): void {
    if (this.sendsJsonErrors && !this.headersSent) this.writeHead(this.statusCode)
  }

  private endAfterRequest(chunk: unknown, encoding: unknown, callback: (() => void) | undefined): this {
    const isEmpty = chunk === undefined || chunk === null
    if (!this.headersSent) {
      this.setHeader("connection", "close")
      if (!isEmpty && !this.hasHeader("content-length"))
        this.setHeader("content-length", Buffer.byteLength(chunk as string))
    }
    if (isEmpty) this.flushHeaders()
    else Reflect.apply(super.write, this, [chunk, encoding ?? "utf8"])
    discardBody(this.req, () => {
      if (!this.writableEnded) Reflect.apply(super.end, this, callback ? [callback] : [])
      if (!this.req.complete) this.req.socket.destroySoon()
    })
    return this
  }
}

const findCallback = (args: readonly unknown[]): (() => void) | undefined =>
  args.findLast((arg): arg is () => void => typeof arg === "function")
