const HOSTS = new Set([
  "youtube.com",
  "www.youtube.com",
  "m.youtube.com",
  "music.youtube.com",
  "youtube-nocookie.com",
  "www.youtube-nocookie.com",
])
const SHORT_HOSTS = new Set(["youtu.be", "www.youtu.be"])
const ID_FOLDERS = new Set(["watch", "embed", "shorts", "live", "v", "vi", "e"])
/** Eleven letters that stand where an id would, and name a list or a channel instead. */
const NO_IDS = new Set(["videoseries", "live_stream"])
const ID = /^[A-Za-z0-9_-]{11}$/

/** Whether this is the id of a video, by its letters. */
export const isVideoId = (id: string): boolean => ID.test(id) && !NO_IDS.has(id)

const hostOf = (url: URL): string => url.hostname.replace(/\.$/, "")

/** Whether the address belongs to YouTube's player pages: an exact host, on a port of the web. */
export const isYouTube = (url: URL): boolean =>
  (HOSTS.has(hostOf(url)) || SHORT_HOSTS.has(hostOf(url))) && ["", "80", "443"].includes(url.port)

/**
 * The id of the one video that a YouTube address names, null when it names none (a playlist, a channel, a broken id).
 * Knows watch?v= (anywhere in the query), youtu.be, embed, shorts, live, v, vi, e and attribution links.
 */
export const youTubeId = (url: URL): string | null => {
  const segments = url.pathname.split("/").filter(Boolean)
  const folder = segments[0]?.toLowerCase()
  if (folder === "attribution_link") {
    const inner = url.searchParams.get("u") ?? ""
    return inner.startsWith("/watch") ? youTubeId(new URL(inner, "https://www.youtube.com")) : null
  }
  // A page's source writes & as &amp;, and people copy from there.
  const query = url.searchParams.get("v") ?? url.searchParams.get("amp;v")
  const inPath = SHORT_HOSTS.has(hostOf(url)) && folder !== "watch" ? segments[0] : segments[1]
  const fromPath =
    SHORT_HOSTS.has(hostOf(url)) || (folder && ID_FOLDERS.has(folder)) ? inPath?.split("&")[0] : undefined
  const queryMayTell = folder === undefined || (folder === "watch" && segments.length === 1)
  const id = fromPath ?? (queryMayTell ? query : undefined)
  return id && isVideoId(id) ? id : null
}

/** The address under which a video is known, whatever form it came in. */
export const youTubeAddress = (id: string): string => `https://www.youtube.com/watch?v=${id}`
