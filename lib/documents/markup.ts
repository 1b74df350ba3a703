import { Tokenizer } from "htmlparser2"

export type MarkupHandler = {
  open(name: string): void
  text(text: string): void
  /** Also for elements that something around them, or the end of the page, has closed. */
  close(name: string): void
}

const VOID = new Set(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr".split(
    " ",
  ),
)
/** Only inside these does `/>` end an element. */
const FOREIGN = ["svg", "math"]

/**
 * Reads HTML from front to end as elements and text, names in lower case, attributes left out.
 *
 * Linear in the length of the page, however deep or broken it is: htmlparser2's own parser keeps the innermost element in
 * front of an array and so pays for its depth at every tag (a million nested ones: minutes). Here the innermost is the
 * last, and a count by name tells without a search whether a closing tag has anything to close.
 */
export const readMarkup = (html: string, handler: MarkupHandler): void => {
  const stack: string[] = []
  const open = new Map<string, number>()
  let name = ""
  const isOpen = (what: string): boolean => (open.get(what) ?? 0) > 0
  const pop = () => {
    const last = stack.pop()!
    open.set(last, open.get(last)! - 1)
    handler.close(last)
  }
  const push = (what: string) => {
    handler.open(what)
    if (VOID.has(what)) return
    stack.push(what)
    open.set(what, (open.get(what) ?? 0) + 1)
  }
  const ignored = () => undefined
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        name = html.slice(start, end).toLowerCase()
      },
      onopentagend: () => push(name),
      onselfclosingtag: () => {
        push(name)
        if (!VOID.has(name) && FOREIGN.some(isOpen)) pop()
      },
      onclosetag: (start, end) => {
        const closed = html.slice(start, end).toLowerCase()
        // A </br> or a lone </p> is an element of its own, as browsers read it.
        if (closed === "br" || (closed === "p" && !isOpen("p"))) push(closed)
        if (!isOpen(closed)) return
        while (stack.at(-1) !== closed) pop()
        pop()
      },
      ontext: (start, end) => handler.text(html.slice(start, end)),
      ontextentity: (code) => handler.text(String.fromCodePoint(code)),
      oncdata: ignored,
      oncomment: ignored,
      ondeclaration: ignored,
      onprocessinginstruction: ignored,
      onattribname: ignored,
      onattribdata: ignored,
      onattribentity: ignored,
      onattribend: ignored,
      onend: ignored,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  while (stack.length > 0) pop()
}
