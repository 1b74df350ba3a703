import { AppError } from "../../domain/errors.ts"
import { createDocumentBuilder } from "../document-builder.ts"
import type { Loader } from "../types.ts"
import { openArchive, readRelationships, readTitle, readXmlPart } from "./archive.ts"

type Slide = { readonly title: string; readonly text: string }

/** Reads the text of a slide. The title is the text of its title placeholder. */
const readSlide = (xml: string): Slide => {
  let [title, text, shape, type] = ["", "", "", ""]
  let inText = false
  readXmlPart(xml, {
    open: (name, attributes) => {
      if (name === "sp") [shape, type] = ["", ""]
      else if (name === "ph") type = attributes.type ?? ""
      else if (name === "t") inText = true
      else if (name === "br") shape += "\n"
    },
    text: (part) => {
      if (inText) shape += part
    },
    close: (name) => {
      if (name === "t") inText = false
      else if (name === "p") shape += "\n"
      else if (name === "tc") shape += " | "
      else if (name === "sp" || name === "graphicFrame") {
        if (/^(?:ctrT|t)itle$/.test(type)) title ||= shape.trim().replace(/\s+/g, " ")
        if (!/^(?:sldNum|dt|ftr)$/.test(type) && shape.trim()) text += `${shape.trim()}\n\n`
        shape = ""
      }
    },
  })
  return { title, text: text.trim() }
}

/** Loads a PowerPoint file (OOXML) as one section per slide, in presentation order, with speaker notes. */
export const loadPptx: Loader = async (bytes) => {
  const archive = await openArchive(bytes)
  const presentation = await archive.text("ppt/presentation.xml")
  if (presentation === null)
    throw new AppError("invalid", "it is not a PowerPoint file (ppt/presentation.xml is missing)")
  const targets = readRelationships(await archive.text("ppt/_rels/presentation.xml.rels"), "ppt")
  const slides: string[] = []
  readXmlPart(presentation, {
    open: (name, attributes) => {
      const target = name === "sldId" ? targets.get(attributes["r:id"] ?? "") : undefined
      if (target) slides.push(target)
    },
  })
  const document = createDocumentBuilder()
  for (const [i, path] of slides.entries()) {
    const xml = await archive.text(path)
    if (xml === null) continue
    const { title, text } = readSlide(xml)
    const name = path.slice(path.lastIndexOf("/") + 1)
    const links = readRelationships(await archive.text(`ppt/slides/_rels/${name}.rels`), "ppt/slides")
    const notesPath = [...links.values()].find((target) => target.startsWith("ppt/notesSlides/"))
    const notes = notesPath ? readSlide((await archive.text(notesPath)) ?? "").text : ""
    const content = [text, notes].filter(Boolean).join("\n\n")
    document.add({ text: content, page: i + 1, heading: title })
  }
  document.setTitle(readTitle(await archive.text("docProps/core.xml")))
  return document.build()
}
