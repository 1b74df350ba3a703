import type { Clip } from "../../clips.ts"
import type { TopicNode } from "../../topics/topic-tree.ts"
import type { WordSpan } from "../../transcript/words.ts"

/** Splits a text into words that start a third of a second apart. */
export const buildWords = (text: string, from: number, speaker = "0"): WordSpan[] =>
  text.split(" ").map((word, i) => ({ word, start: from + i / 3, end: from + i / 3 + 0.3, speaker }))

const topic = (title: string, start_s: number, end_s: number, children: TopicNode[] = []): TopicNode => ({
  title,
  summary: `About ${title}.`,
  start_s,
  end_s,
  children,
})

/** Builds a clip with two speakers, two topics and two subtopics. `changes` overrides its fields. */
export const buildClip = (changes: Partial<Clip> = {}): Clip => ({
  id: "0199c0de-5f3a-5c1e-8a55-3f1d2b9e7a10",
  title: "Boats and bees",
  source_url: null,
  file_path: "/home/ada/private/boats.wav",
  created_at: "2026-01-02T03:04:05.000Z",
  duration_s: 90,
  language: "en",
  tags: [],
  favorite: false,
  transcription: [
    ...buildWords("Boats are built from wood, and they float because water pushes them up with all its might.", 0),
    ...buildWords("Do they?", 20, "1"),
    ...buildWords("Yes. Bees dance.", 40),
  ],
  topics: [],
  tree: {
    topics: [
      topic("All", 0, 90, [
        topic("Boats", 0, 40, [topic("Wood", 0, 20), topic("Doubt", 20, 40)]),
        topic("Bees", 40, 90),
      ]),
    ],
  },
  voices: 2,
  speakers: { "0": "Ada", "1": "Grace" },
  speech_engine: "pocketsphinx",
  whisper_model: "en-us",
  channel: null,
  published_at: null,
  diarized: true,
  estimated_times: false,
  transcript_notes: [],
  provider: "builtin",
  llm_model: null,
  embed_model: "builtin",
  ...changes,
})
