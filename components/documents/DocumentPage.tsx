"use client"
import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { useEffect } from "react"
import type { DocumentText } from "#lib/api/documents.ts"
import { client, errorMessage } from "../api/client.ts"
import { queryKeys } from "../api/query-keys.ts"
import { LinkButton } from "../ui/Button.tsx"
import { cx } from "../ui/cx.ts"
import { formatCount } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { Notice } from "../ui/Notice.tsx"
import { type DocumentPart, type Page, splitIntoPages } from "./document-pages.ts"

const isPdf = ({ name }: DocumentText): boolean => /\.pdf$/i.test(name)

/** Returns the address of the document's file, at a page for PDFs. Returns null if the file no longer exists. */
const getFileHref = (document: DocumentText, page: number | undefined): string | null =>
  document.state === "gone"
    ? null
    : `${client.documentFileUrl(document.id)}${isPdf(document) && page !== undefined ? `#page=${page}` : ""}`

const PartText = ({ part, cited }: { part: DocumentPart; cited: boolean }) => (
  <section
    id={part.id}
    aria-label={cited ? "Cited text" : undefined}
    className={cx(cited && "-mx-3 rounded-md bg-mark/50 px-3 py-2 ring-1 ring-accent")}
  >
    {part.heading && <h3 className="pt-2 pb-1 text-sm font-[600] text-muted">{part.heading}</h3>}
    <p className="leading-[1.7] whitespace-pre-wrap [overflow-wrap:anywhere]">
      <bdi>{cited ? part.whole : part.text}</bdi>
    </p>
  </section>
)

type PageSectionProps = { document: DocumentText; page: Page; pageCount: number; citedPartId: string | null }

/** One page, or the whole document if its format has no pages. */
const PageSection = ({ document, page, pageCount, citedPartId }: PageSectionProps) => {
  const cited = page.parts.some((p) => p.id === citedPartId)
  const href = isPdf(document) ? getFileHref(document, page.page) : null
  return (
    <section
      aria-labelledby={page.page === undefined ? undefined : `page-${page.page}`}
      className={cx(
        "grid gap-2 rounded-lg border bg-surface px-5 py-4 sm:px-8 sm:py-6",
        // The cited page is rendered immediately, because the page scrolls to it.
        !cited && "[contain-intrinsic-size:auto_24rem] [content-visibility:auto]",
        cited ? "border-line-strong" : "border-line",
      )}
    >
      {page.page !== undefined && (
        <div className="flex items-baseline justify-between gap-4 border-b border-line pb-2">
          <h2 id={`page-${page.page}`} className="numeric text-sm font-[600] text-muted">
            Page {page.page}
            <span className="font-[400]"> of {pageCount}</span>
          </h2>
          {href && (
            <a
              href={href}
              target="_blank"
              rel="noreferrer"
              className="rounded-sm text-sm text-accent underline-offset-4 hover:underline"
            >
              Open in PDF<span className="sr-only">, page {page.page}</span>
            </a>
          )}
        </div>
      )}
      {page.parts.map((part) => (
        <PartText key={part.id} part={part} cited={part.id === citedPartId} />
      ))}
    </section>
  )
}

const Reader = ({ document, part }: { document: DocumentText; part: string | null }) => {
  const pages = splitIntoPages(document.parts)
  const at = pages.find((page) => page.parts.some((p) => p.id === part))
  const last = pages.at(-1)?.page ?? 0
  const href = getFileHref(document, at?.page)
  useEffect(() => {
    if (part) window.document.getElementById(part)?.scrollIntoView({ block: "center" })
  }, [part])
  return (
    <>
      <title>{`${document.name} · Earmark`}</title>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 flex-1 basis-72 gap-1">
          <h1 className="text-2xl font-[640] [overflow-wrap:anywhere]">
            <bdi>{document.title ?? document.name}</bdi>
          </h1>
          <p className="text-sm text-muted [overflow-wrap:anywhere]">
            <bdi>{document.uploaded ? document.name : document.source}</bdi> ·{" "}
            {last > 0 ? formatCount(last, "page") : formatCount(document.parts.length, "chunk")}
            {document.state === "gone" && " · the file no longer exists. This is the stored text."}
            {document.state === "changed" && " · the file has changed since it was added"}
          </p>
        </div>
        {href &&
          (isPdf(document) ? (
            <LinkButton icon="file" href={href} target="_blank" rel="noreferrer">
              {at?.page === undefined ? "Open PDF" : `Open PDF at page ${at.page}`}
            </LinkButton>
          ) : (
            <LinkButton icon="save" href={href} download>
              Download file
            </LinkButton>
          ))}
      </div>
      <div className="grid gap-3">
        {pages.map((page, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page may occur twice, and the list is replaced as a whole
          <PageSection key={i} document={document} page={page} pageCount={last} citedPartId={part} />
        ))}
      </div>
    </>
  )
}

/** Shows the extracted text of a document page by page and highlights the cited part. */
export const DocumentPage = ({ id, part }: { id: string; part: string | null }) => {
  const document = useQuery({
    queryKey: queryKeys.document(id),
    queryFn: ({ signal }) => client.document(id, { signal }),
  })
  return (
    <article className="mx-auto grid max-w-3xl gap-4">
      <Link href="/ask" className="inline-flex w-fit items-center gap-1 rounded-sm text-sm text-muted hover:text-ink">
        <Icon name="back" size={14} />
        Ask
      </Link>
      {document.isPending && (
        <div aria-busy="true" className="grid animate-pulse gap-4">
          <span className="sr-only">Loading document</span>
          <div className="h-8 w-72 max-w-full rounded-full bg-line" />
          <div className="h-[60vh] rounded-lg border border-line bg-surface" />
        </div>
      )}
      {document.isError && (
        <>
          <h1 className="text-2xl font-[640]">Couldn't load the document</h1>
          <Notice onRetry={() => document.refetch()}>{errorMessage(document.error)}</Notice>
        </>
      )}
      {document.data && <Reader document={document.data} part={part} />}
    </article>
  )
}
