export type TextKind = "document" | "query"

/**
 * What embedding models want before a text, from their model cards. Other models use no prefix. The first pattern that
 * matches the name of the model counts.
 */
const PREFIXES: readonly (readonly [RegExp, Readonly<Record<TextKind, string>>])[] = [
  [/nomic/i, { document: "search_document: ", query: "search_query: " }],
  [/e5-(?:mistral|.*instruct)/i, { document: "", query: "" }],
  [/\be5\b/i, { document: "passage: ", query: "query: " }],
  [/embeddinggemma/i, { document: "title: none | text: ", query: "task: search result | query: " }],
  [/mxbai-embed|bge-.*-en\b/i, { document: "", query: "Represent this sentence for searching relevant passages: " }],
]

/** Returns the prefix of a text of this kind for a model. */
export const taskPrefix = (model: string, kind: TextKind): string =>
  PREFIXES.find(([pattern]) => pattern.test(model))?.[1][kind] ?? ""
