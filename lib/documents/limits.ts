const MEBIBYTE = 2 ** 20

/** The limits of one document. They bound what a file that is built to do harm can cost. */
export const LIMITS = {
  /** Larger files are rejected unread. */
  fileBytes: 100 * MEBIBYTE,
  /** Larger files get `largeFileMs`, and a request processes one of them at a time. */
  smallFileBytes: MEBIBYTE,
  /** The time for parsing, splitting and embedding a small file. A request must be answered in 20 s, with the writing. */
  smallFileMs: 12_000,
  /** The time for a large file. A long book takes up to a minute. */
  largeFileMs: 60_000,
  /** How long a request waits for a free child process. */
  waitMs: 15_000,
  /** The heap of a child process. */
  heapMb: 512,
  /** The resident memory of a child process, which also contains files and unpacked archives. */
  residentMb: 768,
  /** The characters of all texts, headings and titles of a document. More than any real document contains. */
  characters: 50_000_000,
  chunks: 20_000,
  /** The blocks of a document as its page shows it. */
  blocks: 400_000,
  titleCharacters: 300,
  /** The characters of a heading with its parent headings. */
  headingCharacters: 300,
  /** The characters of the keys that lead to a value in JSON. */
  keyPathCharacters: 200,
  archiveEntries: 3000,
  archiveBytes: 200 * MEBIBYTE,
  /** The compression ratio of a part of an archive, checked from 1 MiB on because small parts often compress well. */
  archiveRatio: 100,
} as const
