/**
 * Names of speakers that can be merged without visiting the words: a word carries a label, and a merge renames labels.
 * Labels of a transcript are its speakers.
 */
export type SpeakerLabels = {
  nameOf(label: string): string
  /** Returns a label that now has this name. */
  labelOf(name: string): string
  merge(from: string, into: string): void
}

export const createSpeakerLabels = (speakers: Iterable<string>): SpeakerLabels => {
  const names = new Map([...speakers].map((speaker) => [speaker, speaker]))
  const nameOf = (label: string): string => names.get(label) ?? label
  return {
    nameOf,
    labelOf: (name) => {
      // A label whose speaker was merged away belongs to another name. Speakers contain no NUL.
      let label = name
      while (names.has(label) && names.get(label) !== name) label += "\0"
      names.set(label, name)
      return label
    },
    merge: (from, into) => {
      for (const [label, name] of names) if (name === from) names.set(label, into)
    },
  }
}
