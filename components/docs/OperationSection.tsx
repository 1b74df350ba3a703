import { curlOf, type Entry, meaningOf, type OpenApi, plain } from "./document.ts"
import { Fields } from "./Fields.tsx"
import { MethodMark } from "./MethodMark.tsx"
import { TypeName } from "./TypeName.tsx"

const Code = ({ children }: { children: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled with the keyboard too
  <pre tabIndex={0} className="overflow-x-auto rounded-md border border-line bg-surface px-4 py-3">
    <code className="font-mono text-xs">{children}</code>
  </pre>
)

const Title = ({ children }: { children: string }) => <h4 className="pt-2 font-[600] text-muted text-xs">{children}</h4>

type OperationProps = { entry: Entry; document: OpenApi; origin: string }

/** One method of one path: what goes in, what comes out, and a call to try. */
export const OperationSection = ({ entry, document, origin }: OperationProps) => {
  const { operation, id } = entry
  const answers = Object.entries(operation.responses)
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid min-w-0 scroll-mt-6 gap-3">
      <h3 id={`${id}-title`} className="flex flex-wrap items-baseline gap-x-3 text-lg">
        <MethodMark method={entry.method} />
        <a href={`#${id}`} className="font-mono [overflow-wrap:anywhere]">
          {entry.path}
        </a>
      </h3>
      <p className="max-w-2xl text-soft">{plain(operation.summary)}.</p>
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
      <Title>Answers</Title>
      <ul className="grid gap-1 text-sm text-soft">
        {answers.map(([status, answer]) => (
          <li key={status} className="grid grid-cols-[3rem_1fr]">
            <span className={`numeric font-mono ${status < "400" ? "text-good" : "text-muted"}`}>{status}</span>
            <span className="[overflow-wrap:anywhere]">
              {meaningOf(document, answer)}
              {Object.entries(answer.content ?? {}).map(([type, { schema }]) => (
                <span key={type} className="text-muted">
                  {" · "}
                  {schema?.$ref ? <TypeName schema={schema} /> : type}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      <Title>Try it</Title>
      <Code>{curlOf(entry, origin)}</Code>
    </section>
  )
}
