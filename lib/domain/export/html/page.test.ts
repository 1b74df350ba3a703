import { describe, expect, it } from "vitest"
import { buildClip } from "../testing/clip.ts"
import { renderRecordingPage, toHtml } from "./page.ts"

const HOSTILE = `<script>alert(1)</script>" onload="x`

describe("the page of a recording", () => {
  it("has the title, the outline with nested subtopics, and the transcript by topic with speakers and times", () => {
    const html = toHtml(buildClip())
    expect(html).toContain("<title>Boats and bees</title>")
    expect(html.replace(/\s*\n\s*/g, "")).toContain(
      '<nav aria-label="Topics"><ol><li><a href="#topic-1"><span>Boats</span><time>0:00</time></a>' +
        '<ol><li><a href="#topic-2"><span>Wood</span><time>0:00</time></a></li>' +
        '<li><a href="#topic-3"><span>Doubt</span><time>0:20</time></a></li></ol></li>' +
        '<li><a href="#topic-4"><span>Bees</span><time>0:40</time></a></li></ol></nav>',
    )
    const [, bees] = html.split('id="topic-4"')
    expect(bees).toContain("<span>Ada</span>")
    expect(bees).toContain("Yes. Bees dance.")
    expect(html.split('id="topic-4"')[0]).not.toContain("Bees dance.")
  })

  it("has no player and no script without audio", () => {
    const html = toHtml(buildClip())
    expect(html).not.toMatch(/<script|<audio|data-seek/)
  })

  it("has a player, a button per paragraph and a script with the nonce of the response", () => {
    const html = renderRecordingPage(buildClip(), {
      audio: { kind: "address", url: "/share/x/audio" },
      nonce: "n+1=",
    }).join("")
    expect(html).toContain('src="/share/x/audio"')
    expect(html).toContain('<script nonce="n+1=">')
    expect([...html.matchAll(/data-seek="([\d.]+)"/g)].map(([, start]) => start)).toEqual(["0", "20", "40"])
  })

  it("takes embedded audio between its two parts", () => {
    const [head, tail] = renderRecordingPage(buildClip(), { audio: { kind: "embedded", type: "audio/mpeg" } })
    expect(head).toMatch(/<script type="text\/plain" id="audio-data" data-type="audio\/mpeg">$/)
    expect(tail).toMatch(/^<\/script>/)
  })

  it("escapes titles, names and words", () => {
    const clip = buildClip({ title: HOSTILE, speakers: { "0": HOSTILE }, channel: HOSTILE, language: HOSTILE })
    clip.tree.topics[0]!.summary = HOSTILE
    clip.tree.topics[0]!.children[0]!.title = HOSTILE
    clip.transcription[0] = { ...clip.transcription[0]!, word: HOSTILE }
    const html = toHtml(clip)
    expect(html).not.toContain("<script")
    expect(html).not.toContain('" onload')
    expect(html.match(/&lt;script&gt;/g)!.length).toBeGreaterThan(4)
  })

  it("shows a recording without topics and words", () => {
    const html = toHtml(buildClip({ title: " ", transcription: [], tree: { topics: [] } }))
    expect(html).toContain("<h1>Untitled</h1>")
    expect(html).not.toContain("<nav")
  })
})
