import { createMemoryIndex } from "../../storage/stores/memory/document-index.ts"
import { openTestNode } from "../testing/open-test-node.ts"
import { testQueryFilters } from "./testing/query-filters.testsuite.ts"

testQueryFilters("memory", async () => ({ index: createMemoryIndex(), store: null, close: async () => {} }))

testQueryFilters("SQLite", async () => {
  const { store, end } = await openTestNode()
  return { index: store.documents, store, close: end }
})
