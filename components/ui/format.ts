const padTwo = (n: number): string => String(n).padStart(2, "0")

/** Formats seconds as `0:07`, `12:30` or `1:02:03`. */
export const formatClock = (seconds: number): string => {
  const s = Math.max(0, Math.floor(seconds))
  const h = Math.floor(s / 3600)
  const m = Math.floor((s % 3600) / 60)
  return h > 0 ? `${h}:${padTwo(m)}:${padTwo(s % 60)}` : `${m}:${padTwo(s % 60)}`
}

/** Parses `83`, `1:23` or `1:02:03` to seconds. Returns null for any other text. */
export const parseClock = (text: string): number | null => {
  const parts = /^(?:(?:(\d{1,3}):)?(\d{1,2}):)?(\d{1,5}(?:[.,]\d+)?)$/.exec(text.trim())
  if (!parts) return null
  const [, h = "0", m = "0", s = "0"] = parts
  return Number(h) * 3600 + Number(m) * 60 + Number(s.replace(",", "."))
}

/** Formats a duration coarsely: `a few seconds`, `40 s`, `3 min`, `1 h 10 min`. */
export const formatTimeLeft = (seconds: number): string => {
  if (seconds < 8) return "a few seconds"
  if (seconds < 55) return `${Math.ceil(seconds / 5) * 5} s`
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export const formatBytes = (n: number): string => {
  if (n < 1000) return `${n} B`
  const units = ["kB", "MB", "GB", "TB"]
  let value = n
  let unit = -1
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

export const formatCount = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString("en")} ${n === 1 ? one : many}`

/** Capitalizes the first letter of a sentence, unless the sentence starts with a file name, a path or a quotation. */
export const capitalize = (text: string): string =>
  /^[a-z]+([ ,]|\. )/.test(text) ? text[0]!.toUpperCase() + text.slice(1) : text

export const formatPercent = (share: number): string => `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%`

/** Formats the time of day, such as `14:05`. */
export const formatTimeOfDay = (iso: string): string =>
  new Date(iso).toLocaleTimeString("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })

/** Formats a past time as `just now`, `5 min ago`, `2 h ago`, `yesterday`, or day and month. */
export const formatTimeAgo = (iso: string, now = Date.now()): string => {
  const s = (now - Date.parse(iso)) / 1000
  if (s < 60) return "just now"
  if (s < 3600) return `${Math.floor(s / 60)} min ago`
  if (s < 86_400) return `${Math.floor(s / 3600)} h ago`
  if (s < 172_800) return "yesterday"
  return new Date(iso).toLocaleDateString("en", { day: "numeric", month: "short" })
}
