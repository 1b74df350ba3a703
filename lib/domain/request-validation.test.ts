import { describe, expect, it } from "vitest"
import { clipPatch } from "./clips.ts"
import { audioJobRequest } from "./jobs/jobs.ts"
import { cleanName } from "./schemas.ts"
import { topicPatch } from "./topics/topic-edits.ts"
import { wordEdit } from "./transcript/word-edits.ts"
import { webhookUrl } from "./webhook-fields.ts"

describe("names", () => {
  it("have no control characters, lone surrogates and characters that change the direction of text", () => {
    const invisible = "\0\t\u007f\u0085\ud800\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    for (const char of invisible) expect(cleanName(`a${char}gpj.exe`), JSON.stringify(char)).toBe("a gpj.exe")
    expect(cleanName("  Grüße\u2029 🎙\n漢 ")).toBe("Grüße 🎙 漢")
  })
})

describe("the address of a webhook", () => {
  it.each(["https://a.example/\0", "https://a.example/a b", "https://a.example/\u0001", "ftp://a.example/", "http://"])(
    "is refused: %j",
    (url) => expect(webhookUrl.safeParse(url).success).toBe(false),
  )
  it.each(["https://a.example", "http://пример.example/ä?b=c#d"])("stays as it is: %j", (url) =>
    expect(webhookUrl.parse(url)).toBe(url),
  )
})

describe("patches and edits", () => {
  it.each([{}, { titel: "misspelt" }])("rejects a patch without known fields: %j", (given) => {
    expect(topicPatch.safeParse(given).error?.issues[0]?.message).toBe(
      "must have at least one of title, summary, start_s, end_s",
    )
    expect(clipPatch.safeParse(given).success).toBe(false)
  })
  it("accepts null, which removes an edit", () => expect(topicPatch.safeParse({ title: null }).success).toBe(true))
  it("rejects merging a speaker with itself", () => {
    expect(wordEdit.safeParse({ kind: "merge", from: "1", into: " 1" }).success).toBe(false)
    expect(wordEdit.safeParse({ kind: "merge", from: "1", into: "0" }).success).toBe(true)
  })
})

describe("the language and models of a job", () => {
  const job = (options: object) => audioJobRequest.safeParse({ source: "/a.wav", ...options })
  it.each(["en", "pt-BR", "zh_Hant", "English", "", null])("accepts the language %j", (language) =>
    expect(job({ language }).success).toBe(true),
  )
  it.each(["e\0n", "en; rm", "-en", "--", "\ud800", "日本"])("rejects the language %j", (language) =>
    expect(job({ language }).error?.issues[0]?.message).toContain("language code"),
  )
  it.each(["../../etc", "/etc/passwd", "a/../b", "a//b", "./a", "~/x", "a\\b"])("rejects the model %j", (name) => {
    expect(job({ whisper_model: name }).error?.issues[0]?.message).toContain("not a path")
  })
  it.each(["whisper-1", "Systran/faster-whisper-large-v3", "org/name:tag", "v1.2"])("accepts the model %j", (name) =>
    expect(job({ whisper_model: name }).success).toBe(true),
  )
  it("puts a model name on one line and rejects invalid Unicode", () => {
    expect(job({ whisper_model: "ti\0ny\n" }).data?.whisper_model).toBe("ti ny")
    expect(job({ llm_model: "\ud800" }).success).toBe(false)
  })
})
