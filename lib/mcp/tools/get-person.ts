import * as z from "zod"
import { personKey } from "../../domain/people/people.ts"
import { formatTime } from "../times.ts"
import { defineTool, READ_ONLY } from "../tool.ts"

const output = z.object({
  people: z.array(
    z.object({
      person_id: z.string(),
      name: z.string(),
      recordings: z.number(),
      speaking_s: z.number().describe("How long the person speaks in all recordings together"),
    }),
  ),
  recordings: z.array(
    z.object({
      clip_id: z.string(),
      title: z.string(),
      added_at: z.string(),
      speaking_s: z.number(),
      topics: z.array(z.object({ number: z.string(), title: z.string(), start_s: z.number() })),
    }),
  ),
  passages: z.array(z.object({ clip_id: z.string(), clip_title: z.string(), start_s: z.number(), text: z.string() })),
})
type Found = z.infer<typeof output>

const describePeople = ({ people }: Found): string[] =>
  people.map(
    ({ name, recordings, speaking_s }) =>
      `- ${name}: ${recordings} ${recordings === 1 ? "recording" : "recordings"}, speaks for ${formatTime(speaking_s)}`,
  )

const describeRecordings = ({ recordings }: Found): string[] =>
  recordings.map(
    ({ clip_id, title, topics }) =>
      `- "${title}" [clip_id ${clip_id}]${topics.length === 0 ? "" : `: ${topics.map((topic) => `${topic.number} ${topic.title}`).join("; ")}`}`,
  )

const describePassages = ({ passages }: Found): string[] =>
  passages.map((hit) => `- ${formatTime(hit.start_s)} in "${hit.clip_title}" [clip_id ${hit.clip_id}]: ${hit.text}`)

export const getPerson = defineTool({
  name: "get_person",
  title: "People who speak",
  description:
    "Lists the people who speak in recordings. With the name of a person, returns the newest recordings with the topics in which the person speaks longest; with a query, also what the person says about it.",
  input: z.object({
    name: z.string().min(1).max(200).optional().describe("Name of a person, or a part of it"),
    query: z.string().min(1).max(200).optional().describe("Words to search for in what the person says"),
    limit: z.int().min(1).max(50).default(10).describe("Maximum number of people, of recordings and of passages"),
  }),
  output,
  annotations: READ_ONLY,
  run: async (api, { name, query, limit }, signal) => {
    const { people } = await api.people({ limit, ...(name !== undefined && { q: name }) }, { signal })
    const data: Found = {
      people: people.map(({ id, name, clips, speaking_s }) => ({ person_id: id, name, recordings: clips, speaking_s })),
      recordings: [],
      passages: [],
    }
    if (people.length === 0)
      return { text: name === undefined ? "No speaker has a name." : `Nobody is named "${name}".`, data }
    const exact = people.filter((person) => name !== undefined && personKey(person.name) === personKey(name))
    const person = exact[0] ?? (name !== undefined && people.length === 1 ? people[0] : undefined)
    if (!person) return { text: describePeople(data).join("\n"), data }
    const { clips } = await api.personClips(person.id, { limit }, { signal })
    const words = query === undefined ? [] : (await api.personWords(person.id, { q: query, limit }, { signal })).words
    const found: Found = {
      people: data.people.filter(({ person_id }) => person_id === person.id),
      recordings: clips.map(({ clip_id, clip_title, created_at, speakers, topics }) => ({
        clip_id,
        title: clip_title,
        added_at: created_at,
        speaking_s: speakers.reduce((sum, speaker) => sum + speaker.speaking_s, 0),
        topics: topics.map(({ number, title, start_s }) => ({ number, title, start_s })),
      })),
      passages: words.map(({ clip_id, clip_title, start_s, text }) => ({ clip_id, clip_title, start_s, text })),
    }
    const heading = query === undefined ? [] : ["", `What ${person.name} says about "${query}":`]
    const passages = query !== undefined && words.length === 0 ? ["Nothing found."] : describePassages(found)
    return {
      text: [...describePeople(found), ...describeRecordings(found), ...heading, ...passages].join("\n"),
      data: found,
    }
  },
})
