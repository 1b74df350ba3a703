import { homedir } from "node:os"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AppError } from "../domain/errors.ts"
import { uuid5 } from "../domain/ids.ts"
import { identify, uploadSessionId } from "./identity.ts"

const context = { roots: ["/data", "/srv/talks"], cwd: "/data" }
const ID = "dQw4w9WgXcQ"
const CANONICAL = `https://www.youtube.com/watch?v=${ID}`
const SESSION = "fa678091-b771-53c5-bb5c-b97259498be6"

const refusal = (source: string): AppError => {
  try {
    identify(source, context)
  } catch (error) {
    if (AppError.is(error)) return error
  }
  throw new Error(`${source} was not rejected`)
}

describe("identify: YouTube", () => {
  it.each([
    `https://www.youtube.com/watch?v=${ID}`,
    `http://www.youtube.com/watch?v=${ID}`,
    `https://youtube.com/watch?v=${ID}`,
    `https://m.youtube.com/watch?v=${ID}`,
    `https://music.youtube.com/watch?v=${ID}&list=RDAMVM`,
    `https://www.youtube.com/watch?app=desktop&v=${ID}&t=42s`,
    `https://www.youtube.com/watch?list=PL0123456789&index=3&v=${ID}`,
    `https://www.youtube.com/watch?v=${ID}#t=30`,
    `https://www.youtube.com/watch/?v=${ID}`,
    `https://www.youtube.com//watch?v=${ID}`,
    `https://www.youtube.com/?v=${ID}`,
    `https://www.youtube.com/watch?feature=share&amp;v=${ID}`,
    `https://www.youtube.com/watch/${ID}`,
    `HTTPS://WWW.YOUTUBE.COM/watch?v=${ID}`,
    `https://YouTube.com/watch?v=${ID}`,
    `https://www.youtube.com.:443/watch?v=${ID}`,
    `https://www.youtube.com:443/watch?v=${ID}`,
    `http://www.youtube.com:80/watch?v=${ID}`,
    `https://youtu.be/${ID}`,
    `http://youtu.be/${ID}/`,
    `https://youtu.be//${ID}`,
    `https://youtu.be/${ID}?si=AbCdEfGhIjKlMnOp&t=10`,
    `https://youtu.be/${ID}&feature=share`,
    `https://www.youtu.be/${ID}`,
    `https://youtu.be/watch?v=${ID}`,
    `https://www.youtube.com/shorts/${ID}`,
    `https://m.youtube.com/shorts/${ID}?feature=share`,
    `https://www.youtube.com/live/${ID}?si=x`,
    `https://www.youtube.com/embed/${ID}?autoplay=1`,
    `https://www.youtube-nocookie.com/embed/${ID}`,
    `https://youtube-nocookie.com/embed/${ID}/`,
    `https://www.youtube.com/v/${ID}?version=3`,
    `https://www.youtube.com/vi/${ID}`,
    `https://www.youtube.com/e/${ID}`,
    `https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D${ID}%26feature%3Dshare`,
    `www.youtube.com/watch?v=${ID}`,
    `youtu.be/${ID}`,
    `  https://youtu.be/${ID}  `,
  ])("maps %s to the canonical video", (source) => {
    expect(identify(source, context)).toEqual({ sessionId: SESSION, ref: { kind: "youtube", url: CANONICAL } })
  })

  it("keeps the case of a video ID", () => {
    expect(identify("https://youtu.be/DQW4W9WGXCQ", context).sessionId).not.toBe(SESSION)
  })

  it.each([
    "https://www.youtube.com/",
    "https://www.youtube.com/watch",
    "https://www.youtube.com/watch?v=",
    "https://www.youtube.com/watch?v=../../x",
    "https://www.youtube.com/watch?v=dQw4w9WgXc",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQQ",
    "https://www.youtube.com/watch?v=dQw4w9WgX!Q",
    "https://youtu.be/",
    "https://youtu.be/short",
    "https://www.youtube.com/embed/videoseries?list=PL0123456789",
    "https://www.youtube.com/embed/live_stream?channel=UC0123456789",
    "https://www.youtube.com/playlist?list=PL0123456789",
    "https://www.youtube.com/@someone",
    `https://www.youtube.com/channel/x?v=${ID}`,
    "https://www.youtube.com/shorts/",
    "https://www.youtube.com\\@evil.test/watch",
  ])("rejects %s, which does not name a video", (source) => {
    expect(refusal(source)).toMatchObject({ code: "invalid", status: 422, retry: "never" })
    expect(refusal(source).message).toContain("does not name a single video")
  })

  it.each([
    `https://youtube.com.evil.test/watch?v=${ID}`,
    `https://notyoutube.com/watch?v=${ID}`,
    `https://www-youtube.com/watch?v=${ID}`,
    `https://evil.test/youtube.com/watch?v=${ID}`,
    `https://evil.test/?u=https://www.youtube.com/watch?v=${ID}`,
    `https://evil.test\\@www.youtube.com/watch?v=${ID}`,
    `https://evil.test/#@youtube.com/watch?v=${ID}`,
    `https://youtube.co/watch?v=${ID}`,
    `https://youtube.org/watch?v=${ID}`,
    `https://youtu.be.evil.test/${ID}`,
    `https://myoutu.be/${ID}`,
    `https://youtubе.com/watch?v=${ID}`,
    `https://www.youtube.com:8080/watch?v=${ID}`,
    `https://www.youtube-nocookie.com.test/embed/${ID}`,
    `https://img.youtube.com/vi/${ID}/0.jpg`,
    `https://evil.youtube.com.test/${ID}`,
  ])("treats %s as an ordinary URL", (source) => {
    const { sessionId, ref } = identify(source, context)
    expect(ref).toEqual({ kind: "url", url: new URL(source).href })
    expect(sessionId).toBe(uuid5(new URL(source).href))
  })

  it("gives all URL forms of a video the same session ID", () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{11}$/).filter((s) => !["videoseries", "live_stream"].includes(s))
    fc.assert(
      fc.property(id, (v) => {
        const forms = [
          `https://youtu.be/${v}`,
          `https://m.youtube.com/watch?a=1&v=${v}`,
          `http://youtube.com/shorts/${v}`,
        ]
        const seen = forms.map((form) => identify(form, context).sessionId)
        expect(new Set(seen)).toEqual(new Set([uuid5(`https://www.youtube.com/watch?v=${v}`)]))
      }),
    )
  })
})

describe("identify: other URLs", () => {
  it("normalizes a URL like the WHATWG parser", () => {
    expect(identify("HTTP://Example.COM:80/a/../talk.mp3", context)).toEqual({
      sessionId: uuid5("http://example.com/talk.mp3"),
      ref: { kind: "url", url: "http://example.com/talk.mp3" },
    })
  })

  it.each([
    "file:///etc/passwd",
    "FILE:/etc/passwd",
    "ftp://host/x",
    "gopher://host/x",
    "data:audio/wav;base64,AAAA",
    "javascript:alert(1)",
    "blob:https://host/x",
    "jar:http://host/x!/y",
    "s3://bucket/x",
    "rtmp://host/x",
    "http://user:pass@host/x",
    "https://user@host/x",
    `https://user@www.youtube.com/watch?v=${ID}`,
    "http://",
    "http://exa mple.test/",
    "http://host/a b",
    "http://host/a\tb",
    "http://host/\r\nX: y",
    "http://host/\u0000",
    "https://[::1",
    "",
    "   ",
  ])("rejects %j", (source) => {
    expect(refusal(source)).toMatchObject({ code: "invalid", status: 422, retry: "never" })
  })
})

describe("identify: paths", () => {
  it.each([
    ["/data/talk.mp3", "/data/talk.mp3"],
    ["talk.mp3", "/data/talk.mp3"],
    ["./a/../talk.mp3", "/data/talk.mp3"],
    ["/srv/talks/2024/", "/srv/talks/2024"],
    ["-oProxyCommand", "/data/-oProxyCommand"],
    ["--exec=touch x", "/data/--exec=touch x"],
    ["C:\\talks\\one.wav", "/data/C:\\talks\\one.wav"],
    ["part 1: boats.mp3", "/data/part 1: boats.mp3"],
    ["talk..mp3", "/data/talk..mp3"],
    ["youtube.com.mp3", "/data/youtube.com.mp3"],
    ["http-talk.mp3", "/data/http-talk.mp3"],
  ])("resolves %j to the file %s", (source, path) => {
    expect(identify(source, context)).toEqual({ sessionId: uuid5(path), ref: { kind: "file", path } })
  })

  it("expands a tilde", () => {
    expect(identify("~/talk.mp3", { roots: [homedir()], cwd: "/data" }).ref).toEqual({
      kind: "file",
      path: `${homedir()}/talk.mp3`,
    })
  })

  it.each([
    "/data-evil/x",
    "/etc/passwd",
    "../etc/passwd",
    "/data/../../etc/passwd",
    "/",
    "/dat",
    "//www.youtube.com/x",
  ])("rejects %s, which is outside the roots", (source) => {
    expect(refusal(source)).toMatchObject({ code: "forbidden", status: 403, retry: "never" })
    expect(refusal(source).message).toContain("SERVICE_INGEST_ROOTS")
  })

  it("rejects NUL", () => {
    expect(refusal("/data/a\0b")).toMatchObject({ code: "invalid" })
  })
})

describe("identify: names", () => {
  it("identifies a name by its letters, whatever the working folder", () => {
    for (const cwd of ["/data", "/srv/talks"])
      expect(identify(" name:crm-17 ", { ...context, cwd })).toEqual({
        sessionId: uuid5("name:crm-17"),
        ref: { kind: "name", name: "crm-17" },
      })
  })
  it("rejects a name without letters", () => expect(refusal("name: ")).toMatchObject({ code: "invalid" }))
  it("takes a path outside the roots as a name if the caller supplies the words", () => {
    const given = { ...context, hasTranscript: true }
    expect(identify("/crm/calls/17.wav", given)).toEqual({
      sessionId: uuid5("/crm/calls/17.wav"),
      ref: { kind: "name", name: "17.wav" },
    })
    expect(identify("/data/talk.mp3", given).ref).toEqual({ kind: "file", path: "/data/talk.mp3" })
  })
})

describe("uploadSessionId", () => {
  it("depends only on the bytes", () => {
    const hex = "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855"
    expect(uploadSessionId(hex)).toBe(uuid5(`sha256:${hex.toLowerCase()}`))
  })
})
