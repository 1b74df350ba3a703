import type { Clip } from "#lib/domain/clips.ts"
import type { VizData } from "#lib/domain/map.ts"
import type { TopicNode } from "#lib/domain/topics/topic-tree.ts"
import type { WordSpan } from "#lib/domain/transcript/words.ts"

const WORD_S = 0.42

/** Builds a recording without audio from points of the synthetic map. Its words repeat the summaries of the topics. */
export const buildClip = ({ points, clip_dates }: VizData, id: string): Clip | null => {
  const own = points.filter((p) => p.clip_id === id)
  const root = own.find((p) => p.level === 1)
  if (!root) return null
  const node = (p: (typeof own)[number], children: TopicNode[]): TopicNode => ({
    title: p.topic_title,
    summary: p.summary,
    start_s: p.start_s,
    end_s: p.start_s + p.duration_s,
    children,
  })
  const topics = own.filter((p) => p.level === 2).sort((a, b) => a.start_s - b.start_s)
  const starts = own.filter((p) => p.level > 1).sort((a, b) => a.start_s - b.start_s)
  const transcription = starts.flatMap((p, i): WordSpan[] => {
    const words = p.summary.split(" ")
    const end = Math.min(starts[i + 1]?.start_s ?? p.start_s + p.duration_s, p.start_s + p.duration_s)
    return Array.from({ length: Math.floor((end - p.start_s) / WORD_S) }, (_, k) => {
      const start = p.start_s + k * WORD_S
      return { word: words[k % words.length]!, start, end: start + 0.4, speaker: p.speaker ?? "0" }
    })
  })
  return {
    id,
    title: root.clip_title,
    source_url: null,
    file_path: null,
    created_at: clip_dates[id]!,
    duration_s: root.duration_s,
    language: "en",
    transcription,
    topics: [],
    tree: {
      topics: [
        node(
          root,
          topics.map((p) => node(p, [])),
        ),
      ],
    },
    speakers: {},
    voices: 3,
    tags: [],
    favorite: false,
    speech_engine: null,
    whisper_model: null,
    diarized: true,
    estimated_times: null,
    transcript_notes: [],
    channel: null,
    published_at: null,
    provider: null,
    llm_model: null,
    embed_model: null,
  }
}
