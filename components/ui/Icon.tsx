/** Strokes on a 20 × 20 grid, drawn for this product. */
const PATHS = {
  search: "M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12Zm4.3-1.7L17 17",
  close: "m5 5 10 10M15 5 5 15",
  check: "m4.5 10.5 3.5 3.5 7.5-8",
  retry: "M15.5 7A6.3 6.3 0 1 0 16.3 11M16 3.5V7h-3.5",
  fit: "M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13M10 8.5v3M8.5 10h3",
  edges:
    "M6.2 12.6 8.8 7.4M11.4 7.2l2.6 4.2M7.5 14h5M5.5 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM10 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm4.5 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  list: "M3.5 5.5h2M8 5.5h8.5M3.5 10h2M8 10h8.5M3.5 14.5h2M8 14.5h8.5",
  link: "M8.3 11.7a3 3 0 0 0 4.2 0l3-3a3 3 0 1 0-4.2-4.2l-1 1M11.7 8.3a3 3 0 0 0-4.2 0l-3 3a3 3 0 1 0 4.2 4.2l1-1",
  down: "m5.5 8 4.5 4.5L14.5 8",
  right: "m8 5.5 4.5 4.5L8 14.5",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  alert: "M10 6.5v4.2M10 13.4v.1M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z",
  wave: "M3 9v2M6.5 6.5v7M10 3.5v13M13.5 7v6M17 9v2",
  map: "M10 10.8a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6ZM4.5 6.3a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6ZM15.5 7.3a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6ZM6 15.8a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6ZM14 15.3a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6Z",
} as const
export type IconName = keyof typeof PATHS

/** Decorative: the button or text beside it carries the name. */
export const Icon = ({ name, size = 20, className }: { name: IconName; size?: number; className?: string }) => (
  <svg
    viewBox="0 0 20 20"
    width={size}
    height={size}
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    className={className}
  >
    <path d={PATHS[name]} />
  </svg>
)
