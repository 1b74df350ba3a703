import { existsSync } from "node:fs"
import { join } from "node:path"
import { createFairQueue } from "../../../documents/fair-queue.ts"
import { AppError, type ErrorCode } from "../../../domain/errors.ts"
import type { ExportableClip } from "../../../domain/export/clip-text.ts"
import type { DocumentFormat } from "../../../domain/export/index.ts"
import { packageRoot } from "../../../platform/package-root.ts"
import { resolveChildProgram, resolvePackageFile } from "../../../platform/processes/child-program.ts"
import { forkProgram, removeTaskListeners } from "../../../platform/processes/fork.ts"
import type { RenderDocument } from "../../deps.ts"

/** The paths of two font files. */
type FontFiles = { readonly regular: string; readonly bold: string }

export type RenderRequest = {
  readonly format: DocumentFormat
  readonly clip: ExportableClip
  readonly fonts: FontFiles
}
export type RenderReply = { readonly bytes: Uint8Array } | { readonly code: ErrorCode; readonly detail: string }

const TIMEOUT_MS = 180_000
const HEAP_MB = 1536
const CHILDREN = 2
const WAIT_MS = 15_000

/** Returns the path of a bundled font: in dist/, or of the package if Earmark runs from source. */
const findFont = (name: string): string => {
  const built = join(packageRoot(), "dist/fonts", name)
  return existsSync(built) ? built : resolvePackageFile(`dejavu-fonts-ttf/ttf/${name}`, import.meta.url)
}

const listFonts = (font: string | undefined): FontFiles => ({
  regular: font ?? findFont("DejaVuSans.ttf"),
  bold: font ?? findFont("DejaVuSans-Bold.ttf"),
})

const runChild = (request: RenderRequest, signal: AbortSignal): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    const program = resolveChildProgram("document-renderer", "renderer.child.ts", import.meta.url)
    const child = forkProgram(program.file, [...program.execArgv, `--max-old-space-size=${HEAP_MB}`])
    const finish = (settle: () => void): void => {
      clearTimeout(timeout)
      signal.removeEventListener("abort", abort)
      removeTaskListeners(child)
      child.kill("SIGKILL")
      settle()
    }
    const fail = (error: unknown): void => finish(() => reject(error))
    const abort = (): void => fail(signal.reason)
    const tooLarge = (reason: string) =>
      new AppError("too_large", `Couldn't write the ${request.format} file: ${reason}. Export html, md or txt instead.`)
    const timeout = setTimeout(() => fail(tooLarge(`it takes longer than ${TIMEOUT_MS / 1000} s`)), TIMEOUT_MS)
    signal.addEventListener("abort", abort, { once: true })
    child.once("error", (cause) =>
      fail(
        new AppError("unavailable", "Couldn't start the process that writes documents. Try again later.", { cause }),
      ),
    )
    child.once("exit", () => fail(tooLarge(`it needs more than ${HEAP_MB} MB of memory`)))
    child.once("message", (reply: RenderReply) =>
      "bytes" in reply ? finish(() => resolve(reply.bytes)) : fail(new AppError(reply.code, reply.detail)),
    )
    // A process that ends while it receives the clip emits `exit`.
    child.send(request, () => undefined)
  })

/** Returns the function that writes documents. @param font the path of a font for PDF documents, if not the bundled one */
export const createDocumentRenderer = (font: string | undefined): RenderDocument => {
  const queue = createFairQueue({
    slots: CHILDREN,
    waitMs: WAIT_MS,
    busyMessage: "Other documents are being written. Try again later.",
  })
  return async (format, clip, signal) => {
    const release = await queue.enter({}, signal)
    try {
      signal.throwIfAborted()
      return await runChild({ format, clip, fonts: listFonts(font) }, signal)
    } finally {
      release()
    }
  }
}
