import { describeCall } from "./call-info.ts"
import { describeOperation, describeResponse, type Entry, type OpenApi, type Schema, schemaName } from "./document.ts"
import { Fields, listFields } from "./Fields.tsx"
import { MethodBadge } from "./MethodBadge.tsx"
import { TypeName } from "./TypeName.tsx"
import { TryCall } from "./try/TryCall.tsx"

const Title = ({ children }: { children: string }) => <h4 className="pt-2 font-[600] text-muted text-xs">{children}</h4>

type OperationProps = { entry: Entry; document: OpenApi; origin: string; hasToken: boolean }

const resolve = ({ components }: OpenApi, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : (components.schemas[schemaName(schema.$ref)] ?? schema)

/** Describes the body of a request: the fields of JSON, or of a form if there is no JSON. */
const Body = ({ entry: { id, operation }, document }: Pick<OperationProps, "entry" | "document">) => {
  const content = Object.entries(operation.requestBody?.content ?? {})
  const described = content.find(([, { schema }]) => schema && resolve(document, schema).properties)?.[1].schema
  return (
    <>
      <Title>Body</Title>
      <ul className="grid gap-1 text-sm text-soft">
        {content.map(([type, { schema }]) => (
          <li key={type}>
            <span className="font-mono">{type}</span>
            {schema?.$ref && (
              <>
                {": "}
                <TypeName schema={schema} />
              </>
            )}
            {type === "multipart/form-data" && content.length > 1 && ": file, and the same fields as text"}
          </li>
        ))}
      </ul>
      {described && <Fields caption={`Body of ${id}`} fields={listFields(resolve(document, described))} />}
    </>
  )
}

const Responses = ({ entry: { operation }, document }: Pick<OperationProps, "entry" | "document">) => (
  <>
    <Title>Responses</Title>
    <ul className="grid gap-1 text-sm text-soft">
      {Object.entries(operation.responses).map(([status, response]) => (
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
  </>
)

const ExampleResponse = ({ entry: { operation } }: Pick<OperationProps, "entry">) => {
  const [status, response] = Object.entries(operation.responses).find(([code]) => code.startsWith("2")) ?? []
  const example = Object.values(response?.content ?? {}).find((content) => content.example !== undefined)?.example
  if (example === undefined) return null
  return (
    <details className="mt-3 rounded-lg border border-line bg-surface text-sm">
      <summary className="cursor-pointer px-4 py-2 text-muted hover:text-ink">Example response, {status}</summary>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: makes long examples scrollable by keyboard
        tabIndex={0}
        className="max-h-96 overflow-auto border-line border-t px-4 py-3"
      >
        <code className="font-mono text-xs">{JSON.stringify(example, null, 2)}</code>
      </pre>
    </details>
  )
}

/** Describes one endpoint beside a sample of the call, which can be filled in and sent. */
export const OperationSection = ({ entry, document, origin, hasToken }: OperationProps) => {
  const { operation, id } = entry
  return (
    <section
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid min-w-0 scroll-mt-6 gap-x-10 gap-y-4 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
    >
      <div className="grid min-w-0 content-start gap-3 xl:col-start-1">
        <h3 id={`${id}-title`} className="flex flex-wrap items-baseline gap-x-3 text-lg">
          <MethodBadge method={entry.method} />
          <a href={`#${id}`} className="font-mono [overflow-wrap:anywhere]">
            {entry.path}
          </a>
        </h3>
        <p className="max-w-2xl text-soft">{describeOperation(operation)}</p>
      </div>
      <div className="min-w-0 self-start xl:sticky xl:top-6 xl:col-start-2 xl:row-span-2 xl:row-start-1 xl:has-[form]:static">
        <TryCall info={describeCall(entry)} origin={origin} hasToken={hasToken} />
        <ExampleResponse entry={entry} />
      </div>
      <div className="grid min-w-0 content-start gap-3 xl:col-start-1">
        {operation.parameters.length > 0 && (
          <>
            <Title>Parameters</Title>
            <Fields
              caption={`Parameters of ${id}`}
              fields={operation.parameters.map((p) => ({ ...p, note: `in the ${p.in}` }))}
            />
          </>
        )}
        {operation.requestBody && <Body entry={entry} document={document} />}
        <Responses entry={entry} document={document} />
      </div>
    </section>
  )
}
