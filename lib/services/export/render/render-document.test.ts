import { extractText, getDocumentProxy } from "unpdf"
import { describe, expect, it } from "vitest"
import { loadDocx } from "../../../documents/loaders/docx.ts"
import { buildClip, buildWords } from "../../../domain/export/testing/clip.ts"
import { createDocumentRenderer } from "./render-document.ts"

const never = new AbortController().signal
const renderDocument = createDocumentRenderer(undefined)
const clip = buildClip({
  title: "Überall & anywhere",
  speakers: { "0": "Ada", "1": "Σωκράτης" },
  transcription: [
    ...buildWords("Boats float.", 0),
    ...buildWords("Почему? \ufffe <b>", 20, "1"),
    ...buildWords("Bees dance.", 40),
  ],
})

describe("the document renderer", () => {
  it("writes a PDF with title, topics, speakers, times and words in several scripts", async () => {
    const bytes = await renderDocument("pdf", clip, never)
    const { text, totalPages } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
    expect(totalPages).toBe(1)
    for (const part of ["Überall & anywhere", "Wood", "Ada", "Σωκράτης", "0:20", "Почему?", "Bees dance.", "1 / 1"])
      expect(text.replace(/\s+/g, " ")).toContain(part)
  })

  it("writes a Word document with headings that its own loader reads", async () => {
    const bytes = await renderDocument("docx", clip, never)
    const text = JSON.stringify(await loadDocx(bytes, { extension: ".docx" }))
    for (const part of ["Überall & anywhere", "Wood", "Σωκράτης", "Почему?", "Bees dance."])
      expect(text).toContain(part)
  })

  it("rejects a PDF whose font lacks the characters of the recording", async () => {
    const japanese = buildClip({ transcription: buildWords("これは 会議 の 記録 です", 0) })
    await expect(renderDocument("pdf", japanese, never)).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(
        /^The PDF font lacks characters of this recording, such as 'こ'\. Set SERVICE_PDF_FONT/,
      ),
    })
  })

  it("ends the process when the request is aborted", async () => {
    const abort = new AbortController()
    const rendering = renderDocument("pdf", clip, abort.signal)
    abort.abort(new Error("gone"))
    await expect(rendering).rejects.toThrow("gone")
  })
})
