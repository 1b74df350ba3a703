import type { AnchorHTMLAttributes } from "react"

/** In place of next/link, where there are no other pages to go to. */
export default function Link(props: AnchorHTMLAttributes<HTMLAnchorElement>) {
  return <a {...props} />
}
