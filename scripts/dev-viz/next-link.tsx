import type { AnchorHTMLAttributes } from "react"

/** What next/link takes besides an anchor's own attributes. */
type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { prefetch?: boolean }

/** In place of next/link, where there are no other pages to go to, and nothing to fetch before it is asked for. */
export default function Link({ prefetch: _, ...props }: LinkProps) {
  return <a {...props} />
}
