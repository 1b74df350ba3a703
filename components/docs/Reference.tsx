import { groupByTag, type OpenApi, stripBackticks } from "./document.ts"
import { Fields, listFields } from "./Fields.tsx"
import { MethodBadge } from "./MethodBadge.tsx"
import { OperationSection } from "./OperationSection.tsx"
import { TypeName } from "./TypeName.tsx"

/** Shows the reference of the HTTP API. It is rendered on the server from the OpenAPI document and needs no script. */
export const Reference = ({ document, origin }: { document: OpenApi; origin: string }) => {
  const tags = [...groupByTag(document)]
  return (
    <main
      id="content"
      className="mx-auto grid w-full max-w-[72rem] gap-x-12 px-5 pt-8 pb-24 sm:px-8 lg:grid-cols-[15rem_minmax(0,1fr)]"
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
      <nav
        aria-label="Endpoints"
        className="mb-10 max-lg:flex max-lg:flex-wrap max-lg:gap-x-5 lg:sticky lg:top-6 lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto"
      >
        {tags.map(([tag, entries]) => (
          <div key={tag} className="lg:mb-4">
            <a href={`#tag-${tag}`} className="font-[600] text-sm capitalize hover:text-accent max-lg:leading-8">
              {tag}
            </a>
            {/* Hidden on a phone, where the list would fill several screens. */}
            <ul className="mt-1 max-lg:hidden">
              {entries.map(({ id, method, path }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className="flex items-baseline gap-1.5 rounded-sm py-0.5 text-muted hover:text-ink"
                  >
                    <MethodBadge method={method} small />
                    <span className="font-mono text-xs [overflow-wrap:anywhere]">{path}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <a href="#schemas" className="font-[600] text-sm hover:text-accent max-lg:leading-8">
          Schemas
        </a>
      </nav>
      <div className="grid min-w-0 gap-14 lg:col-start-2">
        {tags.map(([tag, entries]) => (
          <div key={tag} id={`tag-${tag}`} className="grid min-w-0 scroll-mt-6 gap-12">
            <h2 className="border-line-strong border-b pb-2 font-[640] text-xl capitalize">{tag}</h2>
            {entries.map((entry) => (
              <OperationSection key={entry.id} entry={entry} document={document} origin={origin} />
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
