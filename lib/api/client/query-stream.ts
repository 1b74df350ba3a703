import type { QueryEvent, QueryInput } from "../../domain/documents.ts"
import { detailOf, EarmarkError } from "./errors.ts"
import { readEvents } from "./sse.ts"
import type { Transport } from "./transport.ts"

export type AnswerEvent = Exclude<QueryEvent, { event: "error" }>

/**
 * An answer as it is written: `sources`, `delta`…, `done`.
 * @throws EarmarkError for a refusal, an answer that breaks off, or one that breaks its contract
 */
export async function* queryStream(
  transport: Transport,
  request: QueryInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<AnswerEvent> {
  const response = await transport.send("/query", {
    method: "POST",
    body: JSON.stringify(request),
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    signal,
  })
  if (!response.ok || !response.body)
    throw new EarmarkError(response.status, detailOf(response.status, await response.text()))
  for await (const { event, data } of readEvents(response.body)) {
    const sent = transport.check("queryEvent", response.status, { event, data: JSON.parse(data) })
    if (sent.event === "error") throw new EarmarkError(response.status, sent.data.detail)
    yield sent
    if (sent.event === "done") return
  }
  throw new EarmarkError(0, "The connection closed before the answer was complete.")
}
