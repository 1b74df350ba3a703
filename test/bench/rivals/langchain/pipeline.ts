import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

type Document = { pageContent: string; metadata: { source: string } }
type Store = { similaritySearch(question: string, k: number): Promise<Document[]> }
/** Settings that both pipelines use. This folder is a separate package, so it imports nothing from Earmark. */
export type Shared = {
  readonly chunkSize: number
  readonly chunkOverlap: number
  embed(texts: readonly string[], kind: "document" | "query"): Promise<Float32Array[]>
}
type Packages = {
  Document: new (fields: Document) => Document
  Embeddings: new (params: object) => object
  RecursiveCharacterTextSplitter: new (options: {
    chunkSize: number
    chunkOverlap: number
  }) => { splitDocuments(documents: Document[]): Promise<Document[]> }
  MemoryVectorStore: { fromDocuments(documents: Document[], embeddings: object): Promise<Store> }
}

/** Loads the packages from this folder. Their names are not literals, so that neither TypeScript nor bundlers need them. */
const load = async (): Promise<Packages> => {
  const names = ["core/documents", "core/embeddings", "textsplitters", "classic/vectorstores/memory"]
  const modules: object[] = await Promise.all(names.map((name) => import(`@langchain/${name}`)))
  return Object.assign({}, ...modules)
}

/**
 * Opens a typical LangChain.js pipeline: its recursive splitter with the chunk sizes of Earmark, the same embedder, and its
 * in-memory store with cosine similarity.
 */
export const openLangChain = async (dir: string, k: number, { chunkSize, chunkOverlap, embed }: Shared) => {
  const { Document, Embeddings, RecursiveCharacterTextSplitter, MemoryVectorStore } = await load()
  class SharedEmbeddings extends Embeddings {
    async embedDocuments(texts: string[]): Promise<number[][]> {
      return (await embed(texts, "document")).map((v) => [...v])
    }
    async embedQuery(text: string): Promise<number[]> {
      return [...(await embed([text], "query"))[0]!]
    }
  }
  let store: Store | undefined
  return {
    ingest: async () => {
      const files = readdirSync(dir).map((name) => join(dir, name))
      const documents = files.map(
        (source) => new Document({ pageContent: readFileSync(source, "utf8"), metadata: { source } }),
      )
      const chunks = await new RecursiveCharacterTextSplitter({ chunkSize, chunkOverlap }).splitDocuments(documents)
      store = await MemoryVectorStore.fromDocuments(chunks, new SharedEmbeddings({}))
    },
    find: async (question: string) => {
      if (!store) throw new Error("Call ingest first.")
      const found = await store.similaritySearch(question, k)
      return found.map(({ metadata }) => basename(metadata.source, ".txt"))
    },
    close: async () => {},
  }
}
