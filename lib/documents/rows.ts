/** Longest first cell row that still looks like names of columns. */
const MAX_NAME = 80

const isHeader = (row: readonly string[]): boolean =>
  row.length > 1 && row.every((cell) => cell !== "" && cell.length <= MAX_NAME && !/^[\d.,%-]+$/.test(cell))

/** Rows as lines: `name: value; name: value` when the first row names the columns, else the cells parted by bars. */
export const rowsAsText = (rows: readonly (readonly string[])[]): string => {
  const filled = rows
    .map((row) => row.map((cell) => cell.replace(/\s+/g, " ").trim()))
    .filter((row) => row.some(Boolean))
  const [first, ...rest] = filled
  if (!first) return ""
  if (rest.length === 0 || !isHeader(first)) return filled.map((row) => row.filter(Boolean).join(" | ")).join("\n")
  return rest
    .map((row) => row.flatMap((cell, i) => (cell ? [first[i] ? `${first[i]}: ${cell}` : cell] : [])).join("; "))
    .join("\n")
}
