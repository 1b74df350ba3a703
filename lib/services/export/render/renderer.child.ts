import { readFile } from "node:fs/promises"
import { AppError, messageOf } from "../../../domain/errors.ts"
import type { RenderReply, RenderRequest } from "./render-document.ts"

const render = async ({ format, clip, fonts }: RenderRequest): Promise<Uint8Array> => {
  if (format === "docx") return (await import("./docx.ts")).toDocx(clip)
  const [regular, bold] = await Promise.all([readFile(fonts.regular), readFile(fonts.bold)])
  return (await import("./pdf.ts")).toPdf(clip, { regular, bold })
}

process.on("message", async (request: RenderRequest) => {
  let reply: RenderReply
  try {
    reply = { bytes: await render(request) }
  } catch (error) {
    reply = AppError.is(error)
      ? { code: error.code, detail: error.message }
      : { code: "internal", detail: messageOf(error) }
  }
  process.send?.(reply)
})
process.on("disconnect", () => process.exit(0))
