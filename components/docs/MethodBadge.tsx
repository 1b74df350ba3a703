import { cx } from "../ui/cx.ts"

/** Shows an HTTP method, colored by its effect. */
export const MethodBadge = ({ method, small }: { method: string; small?: boolean }) => (
  <span
    className={cx(
      "shrink-0 font-[640]",
      small ? "w-11 text-[0.625rem]" : "text-sm",
      method === "GET" ? "text-good" : method === "DELETE" ? "text-bad" : "text-accent",
    )}
  >
    {method}
  </span>
)
