import type { ContentPortion, DocumentContent, DocumentMatches } from "../../domain/document-content.ts"
import type { Chunk, DocumentEntry, QuerySource } from "../../domain/documents.ts"
import type { IngestResponse, QueryResponse } from "../documents.ts"

const DOCUMENT_ID = "01a1f2c1-0d2b-7b1a-9c3e-6a5f4e3d2c1b"
const SOURCE = "/home/ada/notes/bees.md"
const TEXT = "The waggle dance encodes direction and distance."

const documentEntry: DocumentEntry = {
  id: DOCUMENT_ID,
  source: SOURCE,
  name: "bees.md",
  title: "Bees",
  format: "markdown",
  bytes: 14_208,
  chunks: 12,
  ingested_at: "2026-11-23T10:00:00.000Z",
  state: "kept",
  uploaded: false,
}

const chunk: Chunk = {
  id: `${DOCUMENT_ID}:0`,
  doc_id: DOCUMENT_ID,
  text: TEXT,
  metadata: { source: SOURCE, title: "Bees", heading: "Dances" },
}
export const source: QuerySource = { chunk, score: 0.98 }

const ingested: IngestResponse = { ingested: 2, chunks: 31, unchanged: 5, skipped: 1, pruned: 0, failed: [] }

const answer: QueryResponse = {
  answer: "The waggle dance encodes direction and distance. [1]",
  sources: [source],
  citations: [{ source: 1 }],
  provider: "builtin",
  model: null,
  rewritten_question: null,
  searched: { recordings: 12, documents: 3, chunks: 480 },
  found: { extracts: [{ source: 1, text: TEXT }], recordings: 0, documents: 1 },
}

const content: DocumentContent = {
  from: "file",
  portions: [{ blocks: 2, characters: 54, first_chunk: 0 }],
  outline: [{ portion: 0, block: 0, level: 1, text: "Dances" }],
}

const portion: ContentPortion = {
  blocks: [
    { type: "heading", level: 1, runs: [{ text: "Dances" }] },
    { type: "paragraph", runs: [{ text: "The " }, { text: "waggle dance", italic: true }, { text: TEXT.slice(16) }] },
  ],
  chunks: [
    { chunk: 0, block: 0, from: 0, to: 6 },
    { chunk: 0, block: 1, from: 0, to: 48 },
  ],
}

const matches: DocumentMatches = { total: 1, matches: [{ portion: 0, block: 1, from: 4, to: 10 }] }

/** An example of each JSON response about documents. */
export const DOCUMENT_EXAMPLES = {
  ingest: ingested,
  query: answer,
  listDocuments: { documents: [documentEntry] },
  addDocument: { ...documentEntry, uploaded: true },
  getDocument: { ...documentEntry, parts: [chunk] },
  documentContent: content,
  documentPortion: portion,
  findInDocument: matches,
}
