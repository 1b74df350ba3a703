import { Tokenizer } from "htmlparser2"

export type HtmlHandler = {
  open(name: string): void
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
 * Parses HTML into elements and text. Element names are in lower case, and attributes are omitted.
 *
 * Takes time linear in the length of the page, even if it is deeply nested or malformed. htmlparser2's own parser keeps the
 * innermost element at the front of an array, so each tag costs time proportional to the depth (minutes for a million nested
 * elements). Here it is at the end, and a count per name shows whether a closing tag has a matching open element.
 */
export const parseHtml = (html: string, handler: HtmlHandler): void => {
  const stack: string[] = []
  const open = new Map<string, number>()
  let name = ""
  const isOpen = (element: string): boolean => (open.get(element) ?? 0) > 0
  const pop = () => {
    const last = stack.pop()!
    open.set(last, open.get(last)! - 1)
    handler.close(last)
  }
  const push = (element: string) => {
    handler.open(element)
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
      },
      onopentagend: () => push(name),
      onselfclosingtag: () => {
        push(name)
        if (!VOID_ELEMENTS.has(name) && FOREIGN_ELEMENTS.some(isOpen)) pop()
      },
      onclosetag: (start, end) => {
        const closed = html.slice(start, end).toLowerCase()
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
      onattribname: ignore,
      onattribdata: ignore,
      onattribentity: ignore,
      onattribend: ignore,
      onend: ignore,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  while (stack.length > 0) pop()
}
