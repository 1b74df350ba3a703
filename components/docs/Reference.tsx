import { byTag, type OpenApi, plain } from "./document.ts"
import { Fields, fieldsOf } from "./Fields.tsx"
import { MethodMark } from "./MethodMark.tsx"
import { OperationSection } from "./OperationSection.tsx"
import { TypeName } from "./TypeName.tsx"

/** The HTTP interface to read: rendered on the server from the document itself, with no script or address of its own. */
export const Reference = ({ document }: { document: OpenApi }) => {
  const tags = [...byTag(document)]
  return (
    <div className="mx-auto grid w-full max-w-[72rem] gap-x-12 px-5 pt-8 pb-24 sm:px-8 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <nav
        aria-label="Calls"
        className="mb-10 lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-y-auto"
      >
        {tags.map(([tag, entries]) => (
          <div key={tag} className="mb-4">
            <p className="mb-1 font-[600] text-sm capitalize">{tag}</p>
            <ul>
              {entries.map(({ id, method, path }) => (
                <li key={id}>
                  <a
                    href={`#${id}`}
                    className="flex items-baseline gap-1.5 rounded-sm py-0.5 text-muted hover:text-ink"
                  >
                    <MethodMark method={method} small />
                    <span className="font-mono text-xs [overflow-wrap:anywhere]">{path}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <a href="#schemas" className="font-[600] text-sm hover:text-accent">
          Schemas
        </a>
      </nav>
      <main className="grid min-w-0 gap-14">
        <header className="grid gap-3">
          <h1 className="font-[640] text-2xl">HTTP interface</h1>
          <p className="max-w-2xl text-soft">
            {plain(document.info.description)} Version {document.info.version}; for programs:{" "}
            <a href="/openapi.json" className="text-accent underline-offset-2 underline decoration-1">
              openapi.json
            </a>
            .
          </p>
        </header>
        {tags.map(([tag, entries]) => (
          <div key={tag} className="grid min-w-0 gap-12">
            <h2 className="border-line-strong border-b pb-2 font-[640] text-xl capitalize">{tag}</h2>
            {entries.map((entry) => (
              <OperationSection key={entry.id} entry={entry} document={document} />
            ))}
          </div>
        ))}
        <div id="schemas" className="grid min-w-0 scroll-mt-6 gap-10">
          <h2 className="border-line-strong border-b pb-2 font-[640] text-xl">Schemas</h2>
          {Object.entries(document.components.schemas).map(([name, schema]) => (
            <section key={name} id={`schema-${name}`} className="grid min-w-0 scroll-mt-6 gap-3">
              <h3 className="font-mono text-lg">{name}</h3>
              {schema.properties ? (
                <Fields caption={`Fields of ${name}`} fields={fieldsOf(schema)} />
              ) : (
                <p className="text-sm text-soft">
                  <TypeName schema={schema} />
                </p>
              )}
            </section>
          ))}
        </div>
      </main>
    </div>
  )
}
