import { testDocumentIndex } from "../testing/documents.testsuite.ts"
import { createMemoryIndex } from "./document-index.ts"

testDocumentIndex("memory", async () => ({ index: createMemoryIndex(), close: async () => {} }))
