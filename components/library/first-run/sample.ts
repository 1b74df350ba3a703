import { client } from "../../api/client.ts"

const SAMPLE_FILE = "three-subjects.flac"
const SAMPLE_TITLE = "Boats, bees and comets"

type Script = {
  readonly turns: readonly {
    readonly voice: string
    readonly start_s: number
    readonly end_s: number
    readonly text: string
  }[]
}

const load = async (name: string): Promise<Response> => {
  const response = await fetch(`/samples/${name}`)
  if (!response.ok) throw new Error("The sample recording is missing from this installation.")
  return response
}

/** Returns the words of a script with times, evenly spaced within each turn. */
export const toWords = ({ turns }: Script) => {
  const voices = [...new Set(turns.map(({ voice }) => voice))]
  return turns.flatMap(({ voice, start_s, end_s, text }) => {
    const words = text.split(/\s+/)
    const step = (end_s - start_s) / words.length
    return words.map((word, i) => ({
      word,
      start: start_s + i * step,
      end: start_s + (i + 1) * step,
      speaker: String(voices.indexOf(voice)),
    }))
  })
}

/**
 * Adds the sample recording with the words of its script, so that no speech engine is needed and its topics are found within
 * seconds. Returns the ID of the recording.
 */
export const addSample = async (): Promise<string> => {
  const [sound, script] = await Promise.all([load(SAMPLE_FILE), load("three-subjects.json")])
  const file = new File([await sound.blob()], SAMPLE_FILE, { type: "audio/flac" })
  const transcription = toWords((await script.json()) as Script)
  return (await client.upload(file, { title: SAMPLE_TITLE, transcription })).session_id
}
