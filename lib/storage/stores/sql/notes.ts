import { and, count, desc, eq, isNotNull, ne, type SQL } from "drizzle-orm"
import type { IfMatch } from "../../../domain/clip-version.ts"
import { MAX_NOTES, MAX_NOTES_PER_CLIP } from "../../../domain/constants.ts"
import { AppError } from "../../../domain/errors.ts"
import type { Note, NoteFilters, NoteList, NotePatch, NotesQuery } from "../../../domain/notes.ts"
import type { NoteHit } from "../../../domain/search.ts"
import { joinSpoken } from "../../../domain/text/join-spoken.ts"
import { splitWords } from "../../../domain/text/tokens.ts"
import type { WordSpan } from "../../../domain/transcript/words.ts"
import { findWordsBetween } from "../../../domain/transcript/words-between.ts"
import type { clips, notes } from "../../database/schema/index.ts"
import type { NewNote } from "../ports/notes.ts"
import { excerpt, highlight } from "../search/highlights.ts"
import { stemsOf } from "../search/stems.ts"
import { clipLockKey, type SqlDatabase, type Transaction } from "./database.ts"
import { isAfter, isCreatedIn, newestFirst, orderBy, splitPage } from "./pagination.ts"
import { requireRowVersion, rowEtag } from "./row-version.ts"
import { nameSpeaker } from "./speaker-name.ts"
import { all, get, type Operation, run } from "./statements.ts"

/** A longer highlight is stored with the beginning of its words. */
const MAX_QUOTE_CHARS = 20_000
const NOTES_LOCK = "notes"

type NoteRow = typeof notes.$inferSelect
type ClipColumns = Pick<typeof clips.$inferSelect, "title" | "speakers" | "voices">

const toNote = (row: NoteRow, clip: ClipColumns | null): Note => ({
  id: row.id,
  clip_id: row.clipId,
  clip_title: clip?.title ?? null,
  start_s: row.startS,
  end_s: row.endS,
  quote: row.quote,
  speaker: clip && nameSpeaker(row.speaker, clip),
  color: row.color,
  text: row.text,
  sources: [...row.sources],
  created_at: new Date(row.createdAt).toISOString(),
  updated_at: new Date(row.updatedAt).toISOString(),
  etag: rowEtag(row),
})

const stemsText = ({ text, quote }: Pick<NoteRow, "text" | "quote">): string =>
  ` ${stemsOf(`${text} ${quote ?? ""}`).join(" ")} `

/** Finds the notes that contain all words, the last one as a prefix. */
const containsWords = ({ dialect, tables: { notes } }: Transaction, words: readonly string[]): SQL | undefined =>
  and(
    ...words.flatMap((word, i) => {
      const stems = stemsOf(word).join(" ")
      if (stems === "") return []
      return [dialect.containsText(notes.stems, ` ${stems}${i === words.length - 1 ? "" : " "}`)]
    }),
  )

type Quote = Pick<NoteRow, "quote" | "speaker">

/** Returns the words of a range as they are written, or null if none are said in it. */
const quoteWords = (words: readonly WordSpan[], start_s: number, end_s: number): Quote | null => {
  const { first, end } = findWordsBetween(words, { start_s, end_s })
  if (first === end) return null
  const quote = joinSpoken(words.slice(first, end).map(({ word }) => word)).slice(0, MAX_QUOTE_CHARS)
  return { quote, speaker: words[first]!.speaker }
}

function* readClip(
  { db, tables: { clips, transcripts } }: Transaction,
  id: string,
): Operation<(ClipColumns & { readonly words: string | null }) | undefined> {
  return yield* get(
    db
      .select({ title: clips.title, speakers: clips.speakers, voices: clips.voices, words: transcripts.words })
      .from(clips)
      .leftJoin(transcripts, eq(transcripts.clipId, clips.id))
      .where(eq(clips.id, id)),
  )
}

function* requireRoom({ db, tables: { notes } }: Transaction, clipId: string | null): Operation<void> {
  const stored = (yield* get(db.select({ n: count() }).from(notes)))!.n
  if (stored >= MAX_NOTES)
    throw new AppError("conflict", `There are ${stored} notes, the maximum. Delete some before you add another.`)
  if (clipId === null) return
  const ofClip = (yield* get(db.select({ n: count() }).from(notes).where(eq(notes.clipId, clipId))))!.n
  if (ofClip >= MAX_NOTES_PER_CLIP)
    throw new AppError(
      "conflict",
      `The recording has ${ofClip} highlights and notes, the maximum. Delete some before you add another.`,
    )
}

export const createNote = (database: SqlDatabase, note: NewNote): Promise<Note | null> => {
  const { id, clip_id: clipId, start_s: startS, end_s: endS, text, sources } = note
  return database.write([NOTES_LOCK, ...(clipId === null ? [] : [clipLockKey(clipId)])], function* (tx) {
    const clip = clipId === null ? null : yield* readClip(tx, clipId)
    if (clip === undefined) return null
    yield* requireRoom(tx, clipId)
    const hasWords = startS !== null && endS !== null
    const quoted = hasWords ? quoteWords(JSON.parse(clip?.words ?? "[]"), startS, endS) : null
    if (hasWords && quoted === null)
      throw new AppError("invalid", "start_s and end_s: nothing is said between these times. Choose some words.")
    const quote = quoted ?? { quote: null, speaker: null }
    const color = hasWords ? (note.color ?? "yellow") : null
    const times = { createdAt: tx.now, updatedAt: tx.now, version: 0 }
    const row = { id, clipId, startS, endS, ...quote, color, text, sources, ...times }
    const stored = { ...row, stems: stemsText(row) }
    yield* run(tx.db.insert(tx.tables.notes).values(stored))
    return toNote(stored, clip)
  })
}

const matches = (tx: Transaction, { q, clip_id, color, kind, ...range }: NoteFilters): SQL | undefined => {
  const { notes } = tx.tables
  return and(
    clip_id === undefined ? undefined : eq(notes.clipId, clip_id),
    color === undefined ? undefined : eq(notes.color, color),
    kind === "highlight" ? and(isNotNull(notes.startS), eq(notes.text, "")) : undefined,
    kind === "note" ? ne(notes.text, "") : undefined,
    isCreatedIn(notes.createdAt, range),
    q ? containsWords(tx, splitWords(q)) : undefined,
  )
}

const clipColumns = ({ clips }: Transaction["tables"]) => ({
  title: clips.title,
  speakers: clips.speakers,
  voices: clips.voices,
})

const toClip = ({ title, speakers, voices }: { [K in keyof ClipColumns]: ClipColumns[K] | null }) =>
  title === null ? null : { title, speakers: speakers ?? {}, voices: voices ?? 0 }

export const listNotes = async (
  database: SqlDatabase,
  { limit, cursor, ...filters }: NotesQuery,
): Promise<NoteList> => {
  const { rows, order } = await database.read(function* (tx) {
    const { clips, notes } = tx.tables
    const order = newestFirst(notes)
    const rows = yield* all(
      tx.db
        .select({ note: notes, ...clipColumns(tx.tables) })
        .from(notes)
        .leftJoin(clips, eq(clips.id, notes.clipId))
        .where(and(matches(tx, filters), isAfter(cursor, order)))
        .orderBy(...orderBy(order))
        .limit(limit + 1),
    )
    return { rows, order }
  })
  const listed = rows.map(({ note, ...clip }) => ({
    value: note.createdAt,
    id: note.id,
    note: toNote(note, toClip(clip)),
  }))
  const { page, next } = splitPage(listed, limit, order)
  return { notes: page.map(({ note }) => note), ...next }
}

function* readNote(tx: Transaction, id: string): Operation<{ row: NoteRow; clip: ClipColumns | null } | null> {
  const { clips, notes } = tx.tables
  const found = yield* get(
    tx.db
      .select({ note: notes, ...clipColumns(tx.tables) })
      .from(notes)
      .leftJoin(clips, eq(clips.id, notes.clipId))
      .where(eq(notes.id, id)),
  )
  if (!found) return null
  const { note, ...clip } = found
  return { row: note, clip: toClip(clip) }
}

export const getNote = (database: SqlDatabase, id: string): Promise<Note | null> =>
  database.read(function* (tx) {
    const found = yield* readNote(tx, id)
    return found && toNote(found.row, found.clip)
  })

export const updateNote = (
  database: SqlDatabase,
  id: string,
  { text, color }: NotePatch,
  ifMatch?: IfMatch,
): Promise<Note | null> =>
  database.write([NOTES_LOCK], function* (tx) {
    const { notes } = tx.tables
    const found = yield* readNote(tx, id)
    if (!found) return null
    const { row, clip } = found
    requireRowVersion("note", row, ifMatch)
    const hasWords = row.startS !== null
    if (!hasWords && text === "")
      throw new AppError("invalid", "text: a note without words must have a text. Delete the note instead.")
    if (!hasWords && color !== undefined)
      throw new AppError("invalid", "color: only highlighted words have a color, and this note has no words.")
    const after = { ...row, text: text ?? row.text, color: color ?? row.color }
    const set = { text: after.text, color: after.color, stems: stemsText(after) }
    const changed = { ...set, updatedAt: tx.now, version: row.version + 1 }
    yield* run(tx.db.update(notes).set(changed).where(eq(notes.id, id)))
    return toNote({ ...row, ...changed }, clip)
  })

export const deleteNote = (database: SqlDatabase, id: string, ifMatch?: IfMatch): Promise<boolean> =>
  database.write([NOTES_LOCK], function* (tx) {
    const { notes } = tx.tables
    const found = yield* readNote(tx, id)
    if (!found) return false
    requireRowVersion("note", found.row, ifMatch)
    return (yield* run(tx.db.delete(notes).where(eq(notes.id, id)))) > 0
  })

/**
 * Stores what is said in the ranges of a clip's notes after its transcript has changed. A note of a range in which nothing is
 * said any more keeps its words. `readWords` is called only if there are such notes.
 */
export function* updateQuotes(
  { db, tables: { notes } }: Transaction,
  clipId: string,
  readWords: () => readonly WordSpan[],
): Operation<void> {
  const rows = yield* all(
    db
      .select()
      .from(notes)
      .where(and(eq(notes.clipId, clipId), isNotNull(notes.startS))),
  )
  if (rows.length === 0) return
  const words = readWords()
  for (const row of rows) {
    const quoted = quoteWords(words, row.startS ?? 0, row.endS ?? 0)
    if (quoted === null || (quoted.quote === row.quote && quoted.speaker === row.speaker)) continue
    const set = { ...quoted, stems: stemsText({ ...row, ...quoted }) }
    yield* run(db.update(notes).set(set).where(eq(notes.id, row.id)))
  }
}

/** Finds notes that contain all words, the last one as a prefix, newest first. */
export function* searchNotes(tx: Transaction, words: readonly string[], limit: number): Operation<NoteHit[]> {
  const { clips, notes } = tx.tables
  const condition = containsWords(tx, words)
  if (condition === undefined) return []
  const rows = yield* all(
    tx.db
      .select({ note: notes, title: clips.title })
      .from(notes)
      .leftJoin(clips, eq(clips.id, notes.clipId))
      .where(condition)
      .orderBy(desc(notes.createdAt), desc(notes.id))
      .limit(limit),
  )
  return rows.map(({ note: { id, clipId, startS, color, text, quote }, title }) => {
    const inText = highlight(text, words)
    const shown = inText.marks.length > 0 || quote === null ? inText : highlight(quote, words)
    return { id, clip_id: clipId, clip_title: title, start_s: startS, color, ...excerpt(shown) }
  })
}
