import { describeResponse, type Entry, type OpenApi, stripBackticks, toCurlCommand } from "./document.ts"
import { Fields } from "./Fields.tsx"
import { MethodBadge } from "./MethodBadge.tsx"
import { TypeName } from "./TypeName.tsx"

const Code = ({ children }: { children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: makes long lines scrollable by keyboard
  <pre tabIndex={0} className="overflow-x-auto rounded-md border border-line bg-surface px-4 py-3">
    <code className="font-mono text-xs">{children}</code>
  </pre>
)

const Title = ({ children }: { children: string }) => <h4 className="pt-2 font-[600] text-muted text-xs">{children}</h4>

type OperationProps = { entry: Entry; document: OpenApi; origin: string }

/** Describes one endpoint: its parameters, body, responses and an example request. */
export const OperationSection = ({ entry, document, origin }: OperationProps) => {
  const { operation, id } = entry
  const responses = Object.entries(operation.responses)
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid min-w-0 scroll-mt-6 gap-3">
      <h3 id={`${id}-title`} className="flex flex-wrap items-baseline gap-x-3 text-lg">
        <MethodBadge method={entry.method} />
        <a href={`#${id}`} className="font-mono [overflow-wrap:anywhere]">
          {entry.path}
        </a>
      </h3>
      <p className="max-w-2xl text-soft">{stripBackticks(operation.description ?? `${operation.summary}.`)}</p>
      {operation.parameters.length > 0 && (
        <>
          <Title>Parameters</Title>
          <Fields
            caption={`Parameters of ${id}`}
            fields={operation.parameters.map((p) => ({ ...p, note: `in the ${p.in}` }))}
          />
        </>
      )}
      {operation.requestBody && (
        <>
          <Title>Body</Title>
          <ul className="grid gap-1 text-sm text-soft">
            {Object.entries(operation.requestBody.content).map(([type, { schema }]) => (
              <li key={type}>
                <span className="font-mono">{type}</span>
                {schema?.$ref && (
                  <>
                    {": "}
                    <TypeName schema={schema} />
                  </>
                )}
                {!schema?.$ref && schema?.properties && `: ${Object.keys(schema.properties).join(", ")}`}
              </li>
            ))}
          </ul>
        </>
      )}
      <Title>Responses</Title>
      <ul className="grid gap-1 text-sm text-soft">
        {responses.map(([status, response]) => (
          <li key={status} className="grid grid-cols-[3rem_1fr]">
            <span className={`numeric font-mono ${status < "400" ? "text-good" : "text-muted"}`}>{status}</span>
            <span className="[overflow-wrap:anywhere]">
              {describeResponse(document, response)}
              {Object.entries(response.content ?? {}).map(([type, { schema }]) => (
                <span key={type} className="text-muted">
                  {" · "}
                  {schema?.$ref ? <TypeName schema={schema} /> : type}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <Title>Example request</Title>
      <Code>{toCurlCommand(entry, origin)}</Code>
    </section>
  )
}
