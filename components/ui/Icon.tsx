/** Stroke paths on a 20 × 20 grid. */
const PATHS = {
  search: "M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12Zm4.3-1.7L17 17",
  copy: "M7.5 7.5h9v9h-9ZM4.5 12.5h-1v-9h9v1",
  close: "m5 5 10 10M15 5 5 15",
  check: "m4.5 10.5 3.5 3.5 7.5-8",
  retry: "M15.5 7A6.3 6.3 0 1 0 16.3 11M16 3.5V7h-3.5",
  fit: "M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13M10 8.5v3M8.5 10h3",
  edges:
    "M6.2 12.6 8.8 7.4M11.4 7.2l2.6 4.2M7.5 14h5M5.5 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM10 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm4.5 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
  list: "M3.5 5.5h2M8 5.5h8.5M3.5 10h2M8 10h8.5M3.5 14.5h2M8 14.5h8.5",
  link: "M8.3 11.7a3 3 0 0 0 4.2 0l3-3a3 3 0 1 0-4.2-4.2l-1 1M11.7 8.3a3 3 0 0 0-4.2 0l-3 3a3 3 0 1 0 4.2 4.2l1-1",
  down: "m5.5 8 4.5 4.5L14.5 8",
  fold: "m6 3.5 4 4 4-4M6 16.5l4-4 4 4",
  unfold: "m6 7.5 4-4 4 4M6 12.5l4 4 4-4",
  right: "m8 5.5 4.5 4.5L8 14.5",
  plus: "M10 4v12M4 10h12",
  minus: "M4 10h12",
  play: "M6.5 4.2v11.6l9-5.8Z",
  pause: "M7 4.5v11M13 4.5v11",
  save: "M10 3.5V12M6.8 9 10 12.2 13.2 9M4 13.5v1.8a1.2 1.2 0 0 0 1.2 1.2h9.6a1.2 1.2 0 0 0 1.2-1.2v-1.8",
  lasso:
    "M10 13.2c-3.9 0-7-2-7-4.6S6.1 4 10 4s7 2 7 4.6-3.1 4.6-7 4.6Zm-3.2-.4c-1 .6-1.2 1.7-.4 2.3.8.7 1.8.2 1.6-.8M6.6 15.2c-.2 1-.9 1.6-2.1 1.8",
  flat: "M3.5 6.5 10 3l6.5 3.5L10 10ZM3.5 10 10 13.5l6.5-3.5M3.5 13.5 10 17l6.5-3.5",
  time: "M3.5 16.5h13M5 16V12M8.3 16V7.5M11.7 16V4.5M15 16V10",
  picture: "M4 4h12v12H4ZM4.5 14l4-4 3 3 2-2 2.5 2.5M12.8 7.6v.1",
  alert: "M10 6.5v4.2M10 13.4v.1M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z",
  wave: "M3 9v2M6.5 6.5v7M10 3.5v13M13.5 7v6M17 9v2",
  map: "M10 10.8a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6ZM4.5 6.3a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6ZM15.5 7.3a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6ZM6 15.8a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6ZM14 15.3a.8.8 0 1 0 0-1.6.8.8 0 0 0 0 1.6Z",
  back: "M11.5 5.5 7 10l4.5 4.5",
  edit: "M4 16l.8-3.4L13 4.4a1.6 1.6 0 0 1 2.3 0l.3.3a1.6 1.6 0 0 1 0 2.3l-8.2 8.2L4 16Z",
  more: "M5 10.7a.7.7 0 1 0 0-1.4.7.7 0 0 0 0 1.4ZM10 10.7a.7.7 0 1 0 0-1.4.7.7 0 0 0 0 1.4ZM15 10.7a.7.7 0 1 0 0-1.4.7.7 0 0 0 0 1.4Z",
  share: "M10 12V3.5M6.8 6.2 10 3l3.2 3.2M5 9.5v6a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1v-6",
  trash: "M4 5.5h12M8 5.5V4a1 1 0 0 1 1-1h2a1 1 0 0 1 1 1v1.5M5.5 5.5l.7 10a1 1 0 0 0 1 1h5.6a1 1 0 0 0 1-1l.7-10",
  person: "M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4.5 16.5a5.5 5.5 0 0 1 11 0",
  people:
    "M7.5 9a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4ZM2.8 15.8a4.8 4.8 0 0 1 9.4 0M13 3.9a2.7 2.7 0 0 1 0 4.8M14.6 11.6a4.8 4.8 0 0 1 2.7 4.2",
  chat: "M4.5 4h11A1.5 1.5 0 0 1 17 5.5v6a1.5 1.5 0 0 1-1.5 1.5H9.5L6 16v-3H4.5A1.5 1.5 0 0 1 3 11.5v-6A1.5 1.5 0 0 1 4.5 4Z",
  pulse: "M2.5 10.5h3.2L8 5l3.6 10.5 2.2-5h3.7",
  library: "M4 3.5h3v13H4ZM7 6h3v10.5H7ZM11.2 6.6l2.9-.8 2.8 10-2.9.8Z",
  book: "M10 5.5C8.5 4.2 6.4 3.8 3.5 4v11c2.9-.2 5 .2 6.5 1.5M10 5.5c1.5-1.3 3.6-1.7 6.5-1.5v11c-2.9-.2-5 .2-6.5 1.5M10 5.5v11",
  file: "M5.5 3h6L15 6.5V16a1 1 0 0 1-1 1H5.5a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1ZM11.5 3v3.5H15",
  cards: "M3.5 3.5h5.5V9H3.5ZM11 3.5h5.5V9H11ZM3.5 11h5.5v5.5H3.5ZM11 11h5.5v5.5H11Z",
  split: "M10 3.5v13M3.5 6h3.5M3.5 10h3.5M3.5 14h3.5M13 6h3.5M13 10h3.5M13 14h3.5",
  info: "M10 9.2v4.3M10 6.6v.1M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Z",
  stop: "M6 6h8v8H6Z",
  filler: "M4 5.5h12M4 10h4.5M4 14.5h12M11 8l4.5 4M15.5 8 11 12",
  send: "M10 16V4.5M5.5 9 10 4.5 14.5 9",
} as const
export type IconName = keyof typeof PATHS

/** A decorative icon, hidden from screen readers. The surrounding button or text needs an accessible name. */
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
