/** Contractions and spoken forms, by their written form in lower case, with the words that they stand for. */
const FORMS: Readonly<Record<string, string>> = {
  "let's": "let us",
  "i'm": "i am",
  "won't": "will not",
  "can't": "can not",
  cannot: "can not",
  gonna: "going to",
  gotta: "got to",
  wanna: "want to",
  "shan't": "shall not",
}
const ENDINGS: readonly (readonly [string, string])[] = [
  ["n't", " not"],
  ["'ll", " will"],
  ["'re", " are"],
  ["'ve", " have"],
  ["'d", " would"],
]

const expandWord = (word: string): string => {
  const form = FORMS[word]
  if (form !== undefined) return form
  const ending = ENDINGS.find(([end]) => word.endsWith(end) && word.length > end.length)
  return ending ? `${word.slice(0, -ending[0].length)}${ending[1]}` : word
}

/** Returns the words of a sentence in lower case, with contractions expanded: "I'll send it." gives i, will, send, it. */
export const expandWords = (sentence: string): string[] =>
  [
    ...sentence
      .toLowerCase()
      .replaceAll("’", "'")
      .matchAll(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu),
  ].flatMap(([word]) => expandWord(word).split(" "))
