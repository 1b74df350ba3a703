"use client"
import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { useEffect } from "react"
import type { Chunk } from "#lib/contracts/documents.ts"
import { client, sentence } from "../api.ts"
import { cx } from "../ui/cx.ts"
import { count } from "../ui/format.ts"
import { Icon } from "../ui/Icon.tsx"
import { Notice } from "../ui/Notice.tsx"
import { overlapOf, placeOf } from "./answer.ts"

const Part = ({ part, before, cited }: { part: Chunk; before: Chunk | undefined; cited: boolean }) => {
  const place = placeOf(part)
  const text = part.text.slice(before ? overlapOf(before.text, part.text) : 0)
  return (
    <section
      id={part.id}
      aria-label={cited ? "The passage that was cited" : undefined}
      className={cx("grid scroll-mt-24 gap-1 rounded-md px-4 py-1", cited && "bg-mark/50 py-3 ring-1 ring-accent")}
    >
      {place && place !== (before && placeOf(before)) && (
        <h2 className="pt-3 text-sm font-[600] text-muted">{place}</h2>
      )}
      <p className="leading-[1.7] whitespace-pre-wrap [overflow-wrap:anywhere]">
        <bdi>{cited ? part.text : text}</bdi>
      </p>
    </section>
  )
}

/** A document as it is searched, the cited passage marked. Works for every format, and shows no foreign page. */
export const DocumentPage = ({ id, part }: { id: string; part: string | null }) => {
  const document = useQuery({ queryKey: ["document", id], queryFn: ({ signal }) => client.document(id, { signal }) })
  const ready = document.isSuccess
  useEffect(() => {
    if (ready && part) window.document.getElementById(part)?.scrollIntoView({ block: "center" })
  }, [ready, part])
  return (
    <article className="mx-auto grid max-w-3xl gap-4">
      <Link href="/ask" className="inline-flex w-fit items-center gap-1 rounded-sm text-sm text-muted hover:text-ink">
        <Icon name="back" size={14} />
        Ask
      </Link>
      {document.isPending && <p className="animate-breathe text-muted">Loading the document</p>}
      {document.isError && (
        <>
          <h1 className="text-2xl font-[640]">The document did not come</h1>
          <Notice onRetry={() => document.refetch()}>{sentence(document.error)}</Notice>
        </>
      )}
      {document.data && (
        <>
          <title>{`${document.data.name} · Earmark`}</title>
          <div className="grid gap-1">
            <h1 className="text-2xl font-[640] [overflow-wrap:anywhere]">
              <bdi>{document.data.title ?? document.data.name}</bdi>
            </h1>
            <p className="text-sm text-muted [overflow-wrap:anywhere]">
              <bdi>{document.data.uploaded ? document.data.name : document.data.source}</bdi> ·{" "}
              {count(document.data.parts.length, "passage")}
            </p>
          </div>
          <div className="-mx-4 grid">
            {document.data.parts.map((p, i) => (
              <Part key={p.id} part={p} before={document.data.parts[i - 1]} cited={p.id === part} />
            ))}
          </div>
        </>
      )}
    </article>
  )
}
