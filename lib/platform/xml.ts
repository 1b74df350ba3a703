import { Parser } from "htmlparser2"
import { AppError } from "../domain/errors.ts"

/** Office files and feeds lie some ten or twenty deep; the parser's cost at each tag grows with the depth. */
const MAX_DEPTH = 1000

/** Names and attributes as they are written, with their prefix. */
export type XmlHandler = {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

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
        handler.open?.(name, attributes)
      },
      ontext: (text) => handler.text?.(text),
      onclosetag: (name) => {
        depth--
        handler.close?.(name)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(xml)
  parser.end()
}
