import { describe, expect, it } from "vitest"
import { parseFeed } from "./feed.ts"

const RSS = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
<title>Boats &amp; <![CDATA[<bees>]]></title><image><title>cover</title></image>
<item><title>One &x;</title><pubDate>Thu, 29 Feb 2024 10:00:00 GMT</pubDate><itunes:duration>1:02:03</itunes:duration>
<enclosure url="https://cdn.example/1.mp3?a=1&amp;b=2" type="audio/mpeg" length="3"/></item>
<item><title>Only text</title><enclosure url="https://cdn.example/1.pdf" type="application/pdf"/></item>
<item><title>Two</title><itunes:duration>90</itunes:duration><enclosure url="/two.m4a"/></item>
<item><title>Evil</title><enclosure url="file:///etc/passwd.mp3" type="audio/mpeg"/></item>
</channel></rss>`

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atoms</title>
<entry><title>First</title><updated>2026-01-02T03:04:05Z</updated>
<link rel="alternate" href="https://a.example/page"/><link rel="enclosure" type="audio/ogg" href="first.ogg"/></entry></feed>`

describe("parseFeed", () => {
  it("lists the RSS episodes that have media, with absolute URLs", () => {
    expect(parseFeed(RSS, "https://pod.example/feed.xml")).toEqual({
      title: "Boats & <bees>",
      episodes: [
        {
          title: "One &x;",
          url: "https://cdn.example/1.mp3?a=1&b=2",
          publishedAt: Date.UTC(2024, 1, 29, 10),
          duration_s: 3723,
        },
        { title: "Two", url: "https://pod.example/two.m4a", publishedAt: null, duration_s: 90 },
      ],
    })
  })

  it("returns null for deeply nested XML without parsing all of it", () => {
    expect(parseFeed(`<rss><channel>${"<a>".repeat(1_000_000)}`, "https://x.test/")).toBeNull()
  })
  it("parses Atom", () => {
    expect(parseFeed(ATOM, "https://a.example/x/feed")).toEqual({
      title: "Atoms",
      episodes: [
        {
          title: "First",
          url: "https://a.example/x/first.ogg",
          publishedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
          duration_s: null,
        },
      ],
    })
  })

  it("returns null for an HTML page, and tolerates malformed items", () => {
    expect(parseFeed("<html><title>No</title></html>", "https://a.example/")).toBeNull()
    expect(
      parseFeed("<rss><channel><item><enclosure url='https://a.example/x.mp3'", "https://a.example/"),
    ).toMatchObject({ episodes: [] })
  })
})
