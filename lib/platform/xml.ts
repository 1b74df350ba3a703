import { Parser } from "htmlparser2"
import { AppError } from "../domain/errors.ts"

/** Office files and feeds have a depth of 10 to 20. The parser's cost per tag grows with the depth. */
const MAX_DEPTH = 1000

/** Callbacks get names and attributes with their prefix. */
export type XmlHandler = {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/**
 * Parses XML. Ignores document types and expands only the five predefined entities and character references, which prevents
 * external fetches and entity expansion attacks.
 * @throws AppError `invalid` if elements are nested deeper than `MAX_DEPTH`
 */
export const readXml = (xml: string, handler: XmlHandler): void => {
  let depth = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (++depth > MAX_DEPTH)
          throw new AppError("invalid", `its elements are nested more than ${MAX_DEPTH} levels deep`)
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
