import type { ContentFile } from "../../documents/content/content-collector.ts"

/** The content of a document, and whether it was read from its file or put together from its chunks. */
export type Content = ContentFile & { readonly from: "file" | "index" }

/** The content of the documents that were shown last. It is in temporary files, so that it takes little memory. */
export type ContentCache = {
  /** Returns the content with a key, and makes it first if it is absent. Concurrent calls with a key make it once. */
  get(key: string, make: () => Promise<Content>): Promise<Content>
  close(): Promise<void>
}

const MAX_DOCUMENTS = 24

export const createContentCache = (): ContentCache => {
  /** Least recently used first. */
  const contents = new Map<string, Promise<Content>>()
  const remove = async (key: string): Promise<void> => {
    const removed = contents.get(key)
    contents.delete(key)
    await removed?.then(
      (content) => content.remove(),
      () => undefined,
    )
  }
  return {
    get: (key, make) => {
      const content = contents.get(key) ?? make()
      contents.delete(key)
      contents.set(key, content)
      content.catch(() => contents.get(key) === content && contents.delete(key))
      const oldest = contents.keys().next().value
      if (contents.size > MAX_DOCUMENTS && oldest !== undefined) void remove(oldest)
      return content
    },
    close: async () => {
      await Promise.all([...contents.keys()].map(remove))
    },
  }
}
