"use client"
import { IconButton } from "../../ui/Button.tsx"
import { copyText } from "../../ui/copy-text.ts"
import { cx } from "../../ui/cx.ts"

type CodeBlockProps = { label: string; text: string; tall?: boolean }

/** Shows code with a button that copies it. */
export const CodeBlock = ({ label, text, tall = false }: CodeBlockProps) => (
  <figure aria-label={label} className="relative min-w-0">
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: makes long code scrollable by keyboard
      tabIndex={0}
      className={cx("overflow-auto px-4 py-3 pr-12", tall ? "max-h-[32rem]" : "max-h-96")}
    >
      <code className="font-mono text-xs">{text}</code>
    </pre>
    <IconButton
      name="copy"
      label={`Copy ${label}`}
      onClick={() => copyText(text, "Text")}
      className="absolute top-1 right-1 size-8 bg-surface"
    />
  </figure>
)
