import * as z from "zod"

/** Which trace something belongs to, as W3C Trace Context writes it. */
export const traceContext = z.object({ traceparent: z.string().max(200), tracestate: z.string().max(2000).optional() })
export type TraceContext = z.infer<typeof traceContext>
