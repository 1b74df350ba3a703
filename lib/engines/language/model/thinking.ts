/** The tags between which models think, as chat templates name them. */
const OPENING = /^\s*(?:<(think|thinking|thought|reasoning)>|\[(THINK)\])/
const MAX_OPENING_CHARS = 40

const closingTag = (opening: RegExpExecArray): string => (opening[1] === undefined ? "[/THINK]" : `</${opening[1]}>`)

/**
 * Removes what a model thought aloud before its answer. Some chat templates contain the opening tag, so that the answer only
 * contains the closing one. A thought that does not end leaves nothing.
 */
export const removeThinking = (answer: string): string => {
  const opening = OPENING.exec(answer)
  if (opening) {
    const closing = closingTag(opening)
    const end = answer.indexOf(closing, opening[0].length)
    return end < 0 ? "" : answer.slice(end + closing.length).trimStart()
  }
  const end = answer.trimStart().startsWith("{") ? -1 : answer.indexOf("</think>")
  return end < 0 ? answer : answer.slice(end + "</think>".length).trimStart()
}

/** Returns true if more characters could make `text` begin with an opening tag. */
const mayBegin = (text: string): boolean => {
  const start = text.trimStart()
  return start.length < MAX_OPENING_CHARS && (start === "" || /^(?:<[a-z]*|\[[A-Z]*)$/.test(start))
}

/** Removes what a model thinks aloud at the beginning of a streamed answer. Tags may span several parts. */
export async function* filterThinking(parts: AsyncIterable<string>): AsyncGenerator<string> {
  let buffer = ""
  let closing: string | null = null
  let hasThought = false
  let isAnswer = false
  for await (const part of parts) {
    if (isAnswer) {
      yield part
      continue
    }
    buffer += part
    if (hasThought) {
      buffer = buffer.trimStart()
      isAnswer = buffer !== ""
      if (isAnswer) yield buffer
      continue
    }
    if (closing === null) {
      const opening = OPENING.exec(buffer)
      if (opening) {
        closing = closingTag(opening)
        buffer = buffer.slice(opening[0].length)
      } else if (!mayBegin(buffer)) {
        isAnswer = true
        yield buffer
        continue
      }
    }
    if (closing === null) continue
    const end = buffer.indexOf(closing)
    // The end of a thought may be a part of the closing tag.
    if (end < 0) buffer = buffer.slice(-closing.length)
    else {
      buffer = buffer.slice(end + closing.length).trimStart()
      hasThought = true
      isAnswer = buffer !== ""
      if (isAnswer) yield buffer
    }
  }
  // A short answer may still look like the beginning of a tag.
  if (!isAnswer && closing === null && buffer !== "") yield buffer
}
