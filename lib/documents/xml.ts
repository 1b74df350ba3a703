import { readXml, type XmlHandler } from "../platform/xml.ts"

const local = (name: string): string => name.slice(name.indexOf(":") + 1)

/**
 * `readXml` with names without their prefix, which Office files choose as they like; attributes keep theirs.
 * @throws as `readXml`
 */
export const readPart = (xml: string, { open, text, close }: XmlHandler): void =>
  readXml(xml, {
    open: (name, attributes) => open?.(local(name), attributes),
    text: (found) => text?.(found),
    close: (name) => close?.(local(name)),
  })

/** The relationships of a part of an Office file: id → path of the target inside the archive. */
export const relations = (xml: string | null, folder: string): Map<string, string> => {
  const found = new Map<string, string>()
  if (xml)
    readPart(xml, {
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
    readPart(core, {
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
