/** The names of embedding models, by which they are told from language models in one list. */
const EMBEDS = /embed|\b(?:bge|e5|gte|minilm|nomic)\b/i

/** Returns true if a model computes embeddings, judging by its name. */
export const isEmbeddingName = (name: string): boolean => EMBEDS.test(name)
