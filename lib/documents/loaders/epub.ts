import { AppError } from "../../domain/errors.ts"
import { createDocumentBuilder } from "../document-builder.ts"
import type { Loader } from "../types.ts"
import { openArchive, readTitle, readXmlPart, resolveTarget } from "./archive.ts"
import { readHtml } from "./html.ts"

const findPackagePath = (container: string | null): string | undefined => {
  let path: string | undefined
  if (container)
    readXmlPart(container, {
      open: (name, a) => {
        if (name === "rootfile") path ??= a["full-path"]
      },
    })
  return path
}

/** Decodes the percent signs of a reference. Returns a reference with an invalid one unchanged. */
const decodeReference = (href: string): string => {
  try {
    return decodeURIComponent(href)
  } catch {
    return href
  }
}

type Chapters = { readonly title: string | undefined; readonly chapters: AsyncGenerator<string> }

/** Opens an EPUB. Its chapters are HTML pages in reading order. */
export const readChapters = async (bytes: Uint8Array): Promise<Chapters> => {
  const archive = await openArchive(bytes)
  const path = findPackagePath(await archive.text("META-INF/container.xml"))
  const xml = path ? await archive.text(path) : null
  if (path === undefined || xml === null)
    throw new AppError("invalid", "it is not an EPUB (the package file is missing)")
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ""
  const hrefs = new Map<string, string>()
  const spine: string[] = []
  readXmlPart(xml, {
    open: (name, a) => {
      if (name === "item" && a.id && a.href) hrefs.set(a.id, a.href)
      else if (name === "itemref" && a.idref) spine.push(a.idref)
    },
  })
  async function* read(): AsyncGenerator<string> {
    for (const id of spine) {
      const href = hrefs.get(id)?.split("#")[0]
      const chapter = href ? await archive.text(resolveTarget(folder, decodeReference(href))) : null
      if (chapter) yield chapter
    }
  }
  return { title: readTitle(xml), chapters: read() }
}

/** Loads the chapters of an EPUB in reading order, with their headings. */
export const loadEpub: Loader = async (bytes) => {
  const { title, chapters } = await readChapters(bytes)
  const document = createDocumentBuilder()
  for await (const chapter of chapters) {
    document.clearHeadings()
    readHtml(chapter, document)
  }
  document.setTitle(title)
  return document.build()
}
