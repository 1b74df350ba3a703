import { speechWords } from "../../fixtures/speech-words.ts"
import type { Deployment } from "./deployment.ts"
import type { ScenarioContext } from "./scenario.ts"

const BODY_WORDS = speechWords({ subjects: 1, secondsEach: 10 })
/** A request that takes longer counts as hanging. */
const HANG_MS = 60_000

export type Answer = { readonly status: number; readonly ms: number; readonly retryAfter: string | null }

let submitted = 0

/** Submits a small job over HTTP and records its ID if it is accepted. Status 0 means no answer in time. */
export const submitOver = async (url: string, { accepted }: Pick<Deployment, "accepted">): Promise<Answer> => {
  const from = performance.now()
  try {
    const response = await fetch(`${url}/jobs/audio`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ source: `https://example.org/over-http/${submitted++}`, transcription: BODY_WORDS }),
      signal: AbortSignal.timeout(HANG_MS),
    })
    const body = (await response.json()) as { job_id?: string }
    if (response.status === 202) accepted.add(body.job_id!)
    return { status: response.status, ms: performance.now() - from, retryAfter: response.headers.get("retry-after") }
  } catch {
    return { status: 0, ms: performance.now() - from, retryAfter: null }
  }
}

/** Checks that every answer is 202 or 503 and arrives within the limit. */
export const checkAnswers = (c: ScenarioContext, answers: readonly Answer[], { within = 5_000 } = {}): string => {
  const count = (status: number) => answers.filter((a) => a.status === status).length
  const others = answers.filter((a) => a.status !== 202 && a.status !== 503)
  c.check("answers are 202 or 503", others.length === 0, others.map((a) => a.status).join())
  const slowest = Math.max(...answers.map((a) => a.ms))
  c.check(`answers within ${within / 1000} s`, slowest <= within, `${Math.round(slowest)} ms`)
  return `${count(202)} × 202, ${count(503)} × 503, slowest ${Math.round(slowest)} ms`
}
