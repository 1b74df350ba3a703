import { groupByTag, type OpenApi, stripBackticks } from "./document.ts"
import { EndpointNav } from "./EndpointNav.tsx"
import { Fields, listFields } from "./Fields.tsx"
import { OperationSection } from "./OperationSection.tsx"
import { TypeName } from "./TypeName.tsx"

type ReferenceProps = {
  document: OpenApi
  /** The origin of the service, for the samples. */
  origin: string
  /** True if the service requires a token. */
  hasToken: boolean
}

/** Shows the reference of the HTTP API. Without scripts it can be read, but calls cannot be tried. */
export const Reference = ({ document, origin, hasToken }: ReferenceProps) => {
  const tags = [...groupByTag(document)]
  const groups = tags.map(([tag, entries]) => ({
    tag,
    entries: entries.map(({ id, method, path }) => ({ id, method, path })),
  }))
  return (
    <main
      id="content"
      className="mx-auto grid w-full max-w-[104rem] gap-x-12 px-5 pt-8 pb-24 sm:px-8 lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <header className="mb-8 grid gap-3 lg:col-start-2 lg:mb-14">
        <h1 className="font-[640] text-2xl">HTTP API</h1>
        <p className="max-w-2xl text-soft">
          {stripBackticks(document.info.description)} The API has version {document.info.version}, which is independent
          of the version of Earmark. Machine-readable:{" "}
          <a href="/openapi.json" className="text-accent underline-offset-2 underline decoration-1">
            openapi.json
          </a>
          .
        </p>
      </header>
      <EndpointNav groups={groups} />
      <div className="grid min-w-0 gap-14 lg:col-start-2">
        {tags.map(([tag, entries]) => (
          <div key={tag} id={`tag-${tag}`} className="grid min-w-0 scroll-mt-6 gap-12">
            <h2 className="border-line-strong border-b pb-2 font-[640] text-xl capitalize">{tag}</h2>
            {entries.map((entry) => (
              <OperationSection key={entry.id} entry={entry} document={document} origin={origin} hasToken={hasToken} />
            ))}
          </div>
        ))}
        <div id="schemas" className="grid min-w-0 scroll-mt-6 gap-10">
          <h2 className="border-line-strong border-b pb-2 font-[640] text-xl">Schemas</h2>
          {Object.entries(document.components.schemas).map(([name, schema]) => (
            <section key={name} id={`schema-${name}`} className="grid min-w-0 scroll-mt-6 gap-3">
              <h3 className="font-mono text-lg">{name}</h3>
              {schema.properties ? (
                <Fields caption={`Fields of ${name}`} fields={listFields(schema)} />
              ) : (
                <p className="text-sm text-soft">
                  <TypeName schema={schema} />
                </p>
              )}
            </section>
          ))}
        </div>
      </div>
    </main>
  )
}
