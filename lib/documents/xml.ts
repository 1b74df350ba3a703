import { Parser } from "htmlparser2"
import { AppError } from "../errors.ts"

/** Office files and feeds lie some ten or twenty deep; the parser's cost at each tag grows with the depth. */
export const MAX_DEPTH = 1000

export type XmlHandler = {
  /** Names without their prefix; attributes with it. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

const local = (name: string): string => name.slice(name.indexOf(":") + 1)

/**
 * Reads XML from front to end. No document type is processed and no entity but the five of XML and character references
 * is expanded, so nothing is fetched and nothing grows.
 * @throws AppError `invalid` when its elements lie more than `MAX_DEPTH` deep
 */
export const readXml = (xml: string, handler: XmlHandler): void => {
  let depth = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > MAX_DEPTH) throw new AppError("invalid", `its elements lie more than ${MAX_DEPTH} deep`)
        handler.open?.(local(name), attributes)
      },
      ontext: (text) => handler.text?.(text),
      onclosetag: (name) => {
        depth--
        handler.close?.(local(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(xml)
  parser.end()
}

/** The relationships of a part of an Office file: id → path of the target inside the archive. */
export const relations = (xml: string | null, folder: string): Map<string, string> => {
  const found = new Map<string, string>()
  if (xml)
    readXml(xml, {
      open: (name, { Id, Target, TargetMode }) => {
        if (name !== "Relationship" || !Id || !Target || TargetMode === "External") return
        found.set(Id, inArchive(folder, Target))
      },
    })
  return found
}

/** A reference of one part to another as the other's name in the archive. */
export const inArchive = (folder: string, target: string): string => {
  const parts: string[] = []
  for (const part of (target.startsWith("/") ? target : `${folder}/${target}`).split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return parts.join("/")
}

/** The title that an Office file has in its properties. */
export const titleIn = (core: string | null): string | undefined => {
  let title = ""
  let inside = false
  if (core)
    readXml(core, {
      open: (name) => {
        inside = name === "title"
      },
      text: (text) => {
        if (inside) title += text
      },
      close: () => {
        inside = false
      },
    })
  return title.trim() || undefined
}
