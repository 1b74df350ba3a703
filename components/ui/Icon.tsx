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
  play: "M6.5 4.2v11.6l9-5.8Z",
  pause: "M7 4.5v11M13 4.5v11",
  save: "M10 3.5V12M6.8 9 10 12.2 13.2 9M4 13.5v1.8a1.2 1.2 0 0 0 1.2 1.2h9.6a1.2 1.2 0 0 0 1.2-1.2v-1.8",
  lasso:
    "M10 13.2c-3.9 0-7-2-7-4.6S6.1 4 10 4s7 2 7 4.6-3.1 4.6-7 4.6Zm-3.2-.4c-1 .6-1.2 1.7-.4 2.3.8.7 1.8.2 1.6-.8M6.6 15.2c-.2 1-.9 1.6-2.1 1.8",
  flat: "M3.5 6.5 10 3l6.5 3.5L10 10ZM3.5 10 10 13.5l6.5-3.5M3.5 13.5 10 17l6.5-3.5",
  picture: "M4 4h12v12H4ZM4.5 14l4-4 3 3 2-2 2.5 2.5M12.8 7.6v.1",
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
