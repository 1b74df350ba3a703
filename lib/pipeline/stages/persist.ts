import * as z from "zod"
import { sha256 } from "../../domain/ids.ts"
import { persistOutput } from "../../domain/jobs/job-state.ts"
import { flattenTree } from "../../domain/topics/flatten-tree.ts"
import { topicEmbeddingText, topicTree } from "../../domain/topics/topic-tree.ts"
import { defineStage } from "../stage.ts"
import { collapseSingleChildren } from "./collapse-single-children.ts"

/** The number of texts per embedding call. */
const BATCH_SIZE = 64

/** Prepares the topic tree for the store: removes single children and embeds titles and summaries with a model. */
export const persist = defineStage({
  name: "persist",
  input: z.object({ tree: topicTree }),
  output: persistOutput,
  gather: ({ state }) => ({ tree: state.l0?.tree ?? { topics: [] } }),
  run: async (input, { signal, models, progress }) => {
    const tree = collapseSingleChildren(input.tree)
    const embedder = await models.embedder()
    // The map places topics by their words if the embedder knows nothing else.
    const texts = embedder.isLexical ? [] : [...new Set(flattenTree(tree).map(topicEmbeddingText))]
    const { provider, model } = await models.topics()
    const vectors: { hash: string; vector: Float32Array }[] = []
    progress(0, texts.length)
    for (let from = 0; from < texts.length; from += BATCH_SIZE) {
      signal.throwIfAborted()
      const batch = texts.slice(from, from + BATCH_SIZE)
      const embedded = await embedder.embed(batch, "document", signal)
      batch.forEach((text, i) => {
        vectors.push({ hash: sha256(text), vector: embedded[i]! })
      })
      progress(vectors.length, texts.length)
    }
    return { tree, vectors, provider, llm_model: model, embed_model: embedder.name }
  },
})
