import type { AnchorHTMLAttributes } from "react"

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { prefetch?: boolean }

/** Replaces next/link. */
export default function Link({ prefetch: _, ...props }: LinkProps) {
  return <a {...props} />
}
