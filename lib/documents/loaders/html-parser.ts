import { Tokenizer } from "htmlparser2"

/** The attributes that change how an element reads. */
const READ_ATTRIBUTES = ["alt", "checked", "class", "href", "start", "type"] as const
export type HtmlAttributes = { readonly [K in (typeof READ_ATTRIBUTES)[number]]?: string }

export type HtmlHandler = {
  open(name: string, attributes: HtmlAttributes): void
  text(text: string): void
  /** Also called for elements that are closed implicitly, by their parent or the end of the page. */
  close(name: string): void
}

const VOID_ELEMENTS = new Set(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr".split(
    " ",
  ),
)
/** `/>` closes an element only inside these. */
const FOREIGN_ELEMENTS = ["svg", "math"]

/**
 * Parses HTML into elements and text. Names are in lower case, and most attributes are omitted.
 *
 * Takes time linear in the length of the page, even if it is deeply nested or malformed. htmlparser2's own parser keeps the
 * innermost element at the front of an array, so each tag costs time proportional to the depth (minutes for a million nested
 * elements). Here it is at the end, and a count per name shows whether a closing tag has a matching open element.
 */
export const parseHtml = (html: string, handler: HtmlHandler): void => {
  const stack: string[] = []
  const open = new Map<string, number>()
  let name = ""
  let attributes: Record<string, string> = {}
  /** The attribute that is being read. Null if it is omitted or repeated. */
  let attribute: string | null = null
  const appendValue = (text: string) => {
    if (attribute !== null) attributes[attribute] += text
  }
  const isOpen = (element: string): boolean => (open.get(element) ?? 0) > 0
  const pop = () => {
    const last = stack.pop()!
    open.set(last, open.get(last)! - 1)
    handler.close(last)
  }
  const push = (element: string) => {
    handler.open(element, attributes)
    attributes = {}
    if (VOID_ELEMENTS.has(element)) return
    stack.push(element)
    open.set(element, (open.get(element) ?? 0) + 1)
  }
  const ignore = () => undefined
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        name = html.slice(start, end).toLowerCase()
        attributes = {}
      },
      onopentagend: () => push(name),
      onselfclosingtag: () => {
        push(name)
        if (!VOID_ELEMENTS.has(name) && FOREIGN_ELEMENTS.some(isOpen)) pop()
      },
      onclosetag: (start, end) => {
        const closed = html.slice(start, end).toLowerCase()
        attributes = {}
        // Browsers treat </br> and an unmatched </p> as elements.
        if (closed === "br" || (closed === "p" && !isOpen("p"))) push(closed)
        if (!isOpen(closed)) return
        while (stack.at(-1) !== closed) pop()
        pop()
      },
      ontext: (start, end) => handler.text(html.slice(start, end)),
      ontextentity: (code) => handler.text(String.fromCodePoint(code)),
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onattribname: (start, end) => {
        const read = html.slice(start, end).toLowerCase()
        const isRead = READ_ATTRIBUTES.some((known) => known === read) && attributes[read] === undefined
        attribute = isRead ? read : null
        if (isRead) attributes[read] = ""
      },
      onattribdata: (start, end) => appendValue(html.slice(start, end)),
      onattribentity: (code) => appendValue(String.fromCodePoint(code)),
      onattribend: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  while (stack.length > 0) pop()
}
