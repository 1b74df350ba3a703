/** Returns the name of a speaker of a clip: the given one, or "Speaker 1" for ID "0" unless it is the only speaker. */
export const nameSpeaker = (
  id: string | null,
  { speakers, voices }: { readonly speakers: Readonly<Record<string, string>>; readonly voices: number },
): string | null => {
  if (id === null) return null
  if (Object.hasOwn(speakers, id) && speakers[id]) return speakers[id]
  if (voices < 2) return null
  return /^\d{1,6}$/.test(id) ? `Speaker ${Number(id) + 1}` : id
}
