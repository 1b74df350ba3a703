import type { McpServer, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server"
import type { z } from "zod"
import { EarmarkError } from "../api/client/errors.ts"
import { AppError, INTERNAL_ERROR } from "../domain/errors.ts"
import { describeIssue } from "../domain/parse-input.ts"
import type { Logger } from "../platform/logger.ts"
import type { Api } from "../services/local-api.ts"

/** The result of a tool: a concise text for the model, and the same as data. */
export type ToolResult<T> = { readonly text: string; readonly data: T }

/** A tool of the MCP server. */
export type Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> = {
  readonly name: string
  readonly title: string
  /** Says what the tool does and when to use it. */
  readonly description: string
  readonly input: I
  readonly output: O
  readonly annotations: ToolAnnotations
  run(api: Api, input: z.output<I>, signal: AbortSignal): Promise<ToolResult<z.input<O>>>
}

export const defineTool = <I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): Tool<I, O> => tool

/** The annotations of a tool that only reads what Earmark stores. */
export const READ_ONLY: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** Returns the sentence of an error for the caller. Other errors than those of Earmark are only logged. */
export const sentenceOf = (error: unknown, log: Logger): string => {
  if (error instanceof EarmarkError || (AppError.is(error) && error.code !== "internal")) return error.message
  log.error({ err: error }, "the MCP server failed")
  return INTERNAL_ERROR
}

/** Returns a schema that describes invalid input in the words of Earmark instead of those of the validator. */
const describeInput = <S extends z.ZodObject>(schema: S) => ({
  "~standard": {
    ...schema["~standard"],
    validate: (value: unknown) => {
      const parsed = schema.safeParse(value)
      if (parsed.success) return { value: parsed.data }
      return { issues: parsed.error.issues.map((issue) => ({ message: describeIssue(issue, "the arguments") })) }
    },
  },
})

export const registerTool = (
  server: McpServer,
  { name, title, description, input, output, annotations, run }: Tool,
  { api, log }: { readonly api: Api; readonly log: Logger },
): void => {
  const config = { title, description, inputSchema: describeInput(input), outputSchema: output, annotations }
  server.registerTool(name, config, async (given: z.output<typeof input>, { mcpReq }: ServerContext) => {
    try {
      const { text, data } = await run(api, given, mcpReq.signal)
      return { content: [{ type: "text", text }], structuredContent: data }
    } catch (error) {
      if (mcpReq.signal.aborted) throw error
      return { content: [{ type: "text", text: sentenceOf(error, log) }], isError: true }
    }
  })
}
