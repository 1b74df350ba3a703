/** The mark: a page with a folded corner out of which sound runs in rings, so that the fold reads as an ear too. */
export const LogoMark = ({ size = 26 }: { size?: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} fill="none" aria-hidden="true">
    <path
      d="M7 3.5h11.5L28.5 13.5V25a3.5 3.5 0 0 1-3.5 3.5H7A3.5 3.5 0 0 1 3.5 25V7A3.5 3.5 0 0 1 7 3.5Z"
      className="stroke-ink"
      strokeWidth="2"
      strokeLinejoin="round"
    />
    <path
      d="M18.5 3.5v7a3 3 0 0 0 3 3h7Z"
      className="fill-accent stroke-accent"
      strokeWidth="2"
      strokeLinejoin="round"
    />
    <path
      d="M13.6 12.2a6.7 6.7 0 0 0 6.2 6.2M9 12.2a11.3 11.3 0 0 0 10.8 10.8"
      className="stroke-ink"
      strokeWidth="2"
      strokeLinecap="round"
    />
  </svg>
)

export const Logo = () => (
  <span className="inline-flex items-center gap-2.5">
    <LogoMark />
    <span className="text-lg font-[640] tracking-[-0.03em]">Earmark</span>
  </span>
)
