/** Window event that makes the scene save itself as an image. */
export const SNAPSHOT_EVENT = "earmark:snapshot"

export const requestSnapshot = () => window.dispatchEvent(new Event(SNAPSHOT_EVENT))

/** Downloads `content` under `name`. */
export const saveFile = (content: Blob, name: string): void => {
  const url = URL.createObjectURL(content)
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  // Revoking immediately can cancel the download.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
