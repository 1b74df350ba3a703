import type { ReactNode } from "react"
import type { ContentBlock, TextRun } from "#lib/domain/document-content.ts"
import { cx } from "../../ui/cx.ts"
import { type Mark, type MarkedRun, markRuns } from "./marked-runs.ts"

const HEADING_SIZES = [
  "mt-8 text-2xl font-[640]",
  "mt-7 text-xl font-[640]",
  "mt-6 text-lg font-[640]",
  "mt-5 font-[640]",
  "mt-4 font-[640] text-soft",
  "mt-4 font-[600] text-soft",
] as const

const styleOf = ({ bold, italic, struck, code }: TextRun): string =>
  cx(
    bold && "font-[640]",
    italic && "italic",
    struck && "line-through",
    code && "rounded-[4px] bg-line/60 px-1 py-0.5 font-mono text-[0.88em] [overflow-wrap:anywhere]",
  )

const Run = ({ run }: { run: TextRun }) => {
  const style = styleOf(run)
  if (run.href !== undefined)
    return (
      <a
        href={run.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        referrerPolicy="no-referrer"
        className={cx(
          "rounded-sm text-accent underline decoration-1 underline-offset-[0.2em] in-[mark]:text-inherit in-[tr[data-passage]]:text-inherit",
          style,
        )}
      >
        {run.text}
      </a>
    )
  return style === "" ? run.text : <span className={style}>{run.text}</span>
}

const Marked = ({ kinds, run }: MarkedRun) => {
  const content = <Run run={run} />
  if (kinds.length === 0) return content
  const isNow = kinds.includes("now")
  const isMatch = isNow || kinds.includes("match")
  return (
    <mark
      data-now={isNow ? "" : undefined}
      data-passage={kinds.includes("passage") ? "" : undefined}
      className={cx(
        "rounded-[3px] box-decoration-clone text-inherit",
        isNow ? "bg-(--mark-now) outline-[1.5px] outline-accent" : isMatch ? "bg-mark" : "bg-mark/60",
      )}
    >
      {content}
    </mark>
  )
}

/** Text with its styles, links and highlights. */
const RichText = ({ runs, marks }: { runs: readonly TextRun[]; marks: readonly Mark[] }) => (
  <bdi>
    {markRuns(runs, marks).map((marked, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text are replaced as a whole
      <Marked key={i} {...marked} />
    ))}
  </bdi>
)

/** A block with the highlights in it. `anchors` are the chunks that begin in it. */
export type ShownBlock = {
  readonly index: number
  readonly block: ContentBlock
  readonly marks: readonly Mark[]
  readonly anchors: readonly number[]
}

const Anchors = ({ anchors }: Pick<ShownBlock, "anchors">) => (
  <>
    {anchors.map((chunk, i) => (
      <span key={chunk} id={`passage-${chunk}`} className="absolute top-0 -left-8">
        {i === 0 && (
          <a
            href={`#passage-${chunk}`}
            tabIndex={-1}
            aria-label={`Link to passage ${chunk + 1}`}
            title={`Link to passage ${chunk + 1}`}
            className="grid h-7 w-7 place-items-center rounded-sm text-sm text-muted opacity-0 max-lg:hidden transition group-hover/block:opacity-100 hover:text-accent"
          >
            ¶
          </a>
        )}
      </span>
    ))}
  </>
)

type BlockFrameProps = Pick<ShownBlock, "index" | "anchors"> & {
  portion: number
  className?: string
  isItem?: boolean
  children: ReactNode
}

const BlockFrame = ({ portion, index, anchors, className, isItem = false, children }: BlockFrameProps) => (
  <div
    data-block={`${portion}-${index}`}
    data-item={isItem ? "" : undefined}
    className={cx("group/block relative scroll-mt-24", className)}
  >
    <Anchors anchors={anchors} />
    {children}
  </div>
)

type HeadingTag = "h2" | "h3" | "h4" | "h5" | "h6"

type BlockProps = { shown: ShownBlock; portion: number }

/** A heading, paragraph, item, piece of code or line. Headings are below that of the page. */
const TextBlock = ({ shown, portion, headingOffset }: BlockProps & { headingOffset: number }) => {
  const { block, marks } = shown
  const frame = { portion, index: shown.index, anchors: shown.anchors }
  switch (block.type) {
    case "heading": {
      const Tag = `h${Math.min(block.level + headingOffset, 6)}` as HeadingTag
      return (
        <BlockFrame {...frame} className={cx("mb-1", HEADING_SIZES[block.level - 1])}>
          <Tag className="[font:inherit]">
            <RichText runs={block.runs} marks={marks} />
          </Tag>
        </BlockFrame>
      )
    }
    case "paragraph":
      return (
        <BlockFrame {...frame} className={cx(block.quoted && "border-l-2 border-line-strong pl-4 text-soft")}>
          {block.label !== undefined && <span className="numeric mr-3 text-sm text-muted">{block.label}</span>}
          <p className={cx("[overflow-wrap:anywhere] whitespace-pre-wrap", block.label !== undefined && "inline")}>
            <RichText runs={block.runs} marks={marks} />
          </p>
        </BlockFrame>
      )
    case "item":
      return (
        <BlockFrame {...frame} className="[[data-item]+&]:-mt-1.5" isItem>
          <div className="flex gap-2" style={{ paddingLeft: `${0.25 + block.depth * 1.5}rem` }}>
            <span className="numeric min-w-5 shrink-0 text-muted">{block.marker}</span>
            <p className="min-w-0 [overflow-wrap:anywhere] whitespace-pre-wrap">
              <RichText runs={block.runs} marks={marks} />
            </p>
          </div>
        </BlockFrame>
      )
    case "code":
      return (
        <BlockFrame
          {...frame}
          className={cx(
            "rounded-md border border-line bg-raised",
            block.continues && "-mt-4 rounded-t-none border-t-0",
          )}
        >
          <figure
            // A wide line is scrolled with the keyboard, too.
            // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
            tabIndex={0}
            aria-label={block.language === undefined ? "Code" : `Code in ${block.language}`}
            className="overflow-x-auto px-4 py-2.5 font-mono text-sm leading-6"
          >
            <pre className="[font:inherit]">
              <code className="[font:inherit]">
                <RichText runs={[{ text: block.text }]} marks={marks} />
              </code>
            </pre>
          </figure>
        </BlockFrame>
      )
    case "rule":
      return (
        <BlockFrame {...frame}>
          <hr className="my-2 border-line" />
        </BlockFrame>
      )
    case "row":
      return null
  }
}

const Row = ({ shown, portion }: BlockProps) => {
  const { block, marks, anchors, index } = shown
  if (block.type !== "row") return null
  const isHead = block.role === "head"
  // The text of a row is that of its cells, each on a line.
  let start = 0
  const isPassage = marks.some(({ kind }) => kind === "passage")
  return (
    <tr
      data-block={`${portion}-${index}`}
      data-passage={isPassage ? "" : undefined}
      className={cx("scroll-mt-24", isPassage && "bg-mark/40")}
    >
      {block.cells.map((runs, i) => {
        const from = start
        start += runs.reduce((sum, { text }) => sum + text.length, 0) + 1
        // A column without a name has no header.
        const Cell = isHead && runs.length > 0 ? "th" : "td"
        const own = marks
          .filter(({ kind }) => kind !== "passage")
          .map((mark) => ({ ...mark, from: mark.from - from, to: mark.to - from }))
        return (
          <Cell
            // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row never move
            key={i}
            {...(Cell === "th" && { scope: "col" })}
            className={cx(
              "max-w-96 min-w-28 border-b border-line px-3 py-1.5 text-left align-top [overflow-wrap:anywhere]",
              isHead && "bg-raised font-[600]",
            )}
          >
            {i === 0 && anchors.map((chunk) => <span key={chunk} id={`passage-${chunk}`} />)}
            <RichText runs={runs} marks={own} />
          </Cell>
        )
      })}
    </tr>
  )
}

/** Rows that follow each other. `label` names the table for screen readers. */
const Table = ({ rows, portion }: { rows: readonly ShownBlock[]; portion: number }) => {
  const isHead = ({ block }: ShownBlock) => block.type === "row" && block.role === "head"
  const head = rows.filter(isHead)
  const body = rows.filter((row) => !isHead(row))
  const toRow = (shown: ShownBlock) => <Row key={shown.index} {...{ shown, portion }} />
  return (
    <figure
      aria-label="Table"
      // A wide table is scrolled with the keyboard, too.
      // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
      tabIndex={0}
      className="overflow-x-auto rounded-md border border-line"
    >
      <table className="w-full border-collapse text-sm [&_tr:last-child>*]:border-b-0">
        {head.length > 0 && <thead>{head.map(toRow)}</thead>}
        <tbody>{body.map(toRow)}</tbody>
      </table>
    </figure>
  )
}

/** Groups the rows of each table. */
const groupRows = (blocks: readonly ShownBlock[]): (ShownBlock | ShownBlock[])[] => {
  const groups: (ShownBlock | ShownBlock[])[] = []
  for (const shown of blocks) {
    const { block } = shown
    const last = groups.at(-1)
    if (block.type !== "row") groups.push(shown)
    else if (Array.isArray(last) && block.role === "body") last.push(shown)
    else groups.push([shown])
  }
  return groups
}

type BlocksProps = {
  blocks: readonly ShownBlock[]
  portion: number
  /** How many levels of headings the page has above those of the document. */
  headingOffset: number
}

/** The blocks of a portion. */
export const Blocks = ({ blocks, portion, headingOffset }: BlocksProps) => (
  <>
    {groupRows(blocks).map((group) =>
      Array.isArray(group) ? (
        <Table key={group[0]!.index} rows={group} portion={portion} />
      ) : (
        <TextBlock key={group.index} shown={group} {...{ portion, headingOffset }} />
      ),
    )}
  </>
)
