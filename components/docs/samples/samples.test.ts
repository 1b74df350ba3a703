import { describe, expect, it } from "vitest"
import { openApiDocument } from "#lib/api/openapi/document.ts"
import { describeCall } from "../call-info.ts"
import { groupByTag, type OpenApi } from "../document.ts"
import { emptyForm, type FilledForm, toCall } from "../filled-form.ts"
import { type Language, toSample } from "./samples.ts"

const entries = [...groupByTag(openApiDocument() as OpenApi).values()].flat()

const sampleOf = (language: Language, id: string, filled: Partial<FilledForm> = {}, withToken = false): string => {
  const info = describeCall(entries.find((entry) => entry.id === id)!)
  const form = emptyForm(info)
  const texts = { ...form.texts, ...filled.texts }
  return toSample(language, toCall(info, { ...form, ...filled, texts }), { origin: "http://host:1", withToken })
}

describe("curl samples", () => {
  it("name what is missing and have the example of the body", () => {
    expect(sampleOf("curl", "health")).toBe("curl http://host:1/health")
    expect(sampleOf("curl", "editTopic")).toBe(
      [
        "curl -X PATCH http://host:1/clips/ID/topics/TOPIC",
        "-H 'content-type: application/json'",
        `-d '{"title":"Keeping bees","start_s":125.5}'`,
      ].join(" \\\n  "),
    )
    expect(sampleOf("curl", "getUpload")).toBe("curl -I http://host:1/uploads/ID \\\n  -H 'tus-resumable: 1.0.0'")
  })
  it("quote texts for the shell and encode them for the URL", () => {
    const body = sampleOf("curl", "editClip", { json: { title: "it's $HOME" }, texts: { "path:id": "a/b" } })
    expect(body).toContain("http://host:1/clips/a%2Fb")
    expect(body).toContain(`-d '{"title":"it'\\''s $HOME"}'`)
    expect(sampleOf("curl", "listClips", { texts: { "query:q": "a & b", "query:fields": "id,title" } })).toBe(
      "curl 'http://host:1/clips?q=a%20%26%20b&fields=id,title'",
    )
  })
  it("send files with the other fields as text", () => {
    const form = { bodyKind: "form", json: { source: "x", title: "@talk", language: null }, file: { name: "a b.mp3" } }
    expect(sampleOf("curl", "submitJob", form as Partial<FilledForm>)).toBe(
      ["curl http://host:1/jobs/audio", "--form-string title=@talk", "-F language=null", "-F 'file=@a b.mp3'"].join(
        " \\\n  ",
      ),
    )
  })
  it("read the token from the environment", () => {
    expect(sampleOf("curl", "listTokens", {}, true)).toContain('-H "authorization: Bearer $EARMARK_TOKEN"')
  })
})

describe("Python samples", () => {
  it("write JSON as Python and read the token from the environment", () => {
    const sample = sampleOf("python", "submitJob", { json: { source: "a", language: null, reasoning: true } }, true)
    expect(sample).toBe(`import os

import requests

response = requests.post(
    "http://host:1/jobs/audio",
    headers={"Authorization": f"Bearer {os.environ['EARMARK_TOKEN']}"},
    json={"source": "a", "language": None, "reasoning": True},
)
response.raise_for_status()
print(response.json())
`)
  })
  it("read the answer by its kind", () => {
    expect(sampleOf("python", "jobEvents")).toContain("stream=True")
    expect(sampleOf("python", "clipAudio")).toContain("file.write(response.content)")
    expect(sampleOf("python", "exportClip")).toContain("print(response.text)")
    expect(sampleOf("python", "deleteClip")).toContain("print(response.status_code")
  })
})

describe("TypeScript samples", () => {
  it("call the client with path parameters, then the query, then options", () => {
    const texts = { "path:id": "c", "query:a": "r1", "query:tolerance_s": "5" }
    expect(sampleOf("typescript", "diffTopicRuns", { texts })).toBe(`import { createClient } from "earmark-client"

const client = createClient({ baseUrl: "http://host:1" })
console.log(await client.diffTopics("c", { a: "r1", tolerance_s: 5 }))
`)
    const listed = sampleOf("typescript", "listJobs", { texts: { "query:fields": "job_id,status" } })
    expect(listed).toContain('client.jobs({}, { fields: ["job_id", "status"] })')
    const edited = sampleOf("typescript", "deleteClip", { texts: { "path:id": "c", "header:If-Match": '"1"' } })
    expect(edited).toContain('client.deleteClip("c", { ifMatch: "\\"1\\"" })')
  })
  it("use fetch for what the client cannot send", () => {
    expect(sampleOf("typescript", "exportLibrary")).toContain('fetch("http://host:1/export")')
    const known = sampleOf("typescript", "getClip", { texts: { "path:id": "c", "header:If-None-Match": '"1"' } }, true)
    expect(known).toContain('"If-None-Match": "\\"1\\""')
    expect(known).toMatch(/Authorization: `Bearer \$\{process\.env\.EARMARK_TOKEN\}`/)
    expect(sampleOf("typescript", "getClip")).toContain('client.clip("ID")')
  })
})
