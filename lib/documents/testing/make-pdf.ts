/** Creates a PDF with one line of text per page. */
export const makePdf = (...lines: string[]): string => {
  const pages = lines.map((_, i) => `${3 + 2 * i} 0 R`).join(" ")
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    `<</Type/Pages/Count ${lines.length}/Kids[${pages}]>>`,
    ...lines.flatMap((line, i) => {
      const stream = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`
      const font = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${4 + 2 * i} 0 R/Resources<</Font<</F1 ${font}>>>>>>`,
        `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`,
      ]
    }),
  ]
  let text = "%PDF-1.4\n"
  const offsets = objects.map((object, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${object}\nendobj\n`
    return String(at).padStart(10, "0")
  })
  const table = offsets.map((at) => `${at} 00000 n \n`).join("")
  const start = text.length
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF`
}
