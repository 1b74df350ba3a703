import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { build } from "esbuild"
import type { Locator, Page } from "playwright-core"
import { afterAll, describe, expect } from "vitest"
import { type CallParameter, describeCall } from "#components/docs/call-info.ts"
import { groupByTag, type OpenApi } from "#components/docs/document.ts"
import { emptyForm, keyOf, toCall } from "#components/docs/filled-form.ts"
import { LANGUAGE_NAMES, LANGUAGES, type Language, toSample } from "#components/docs/samples/samples.ts"
import { openApiDocument } from "#lib/api/openapi/document.ts"
import { packageRoot } from "#lib/platform/package-root.ts"
import { expectQuiet, openPage, picture, type Watch } from "./helpers.ts"
import { expectAccessible } from "./library-helpers.ts"
import { it, TOKEN } from "./shared-service.ts"

const root = packageRoot()
const run = promisify(execFile)

let folder: string
/** All tests use the same page, because the reference of the API takes a second to render. */
let page: Page
let watch: Watch

it.beforeAll(async ({ tokenService, browser }) => {
  // Inside the package, where the samples find its types.
  mkdirSync(join(root, "test/out"), { recursive: true })
  folder = mkdtempSync(join(root, "test/out/samples-"))
  ;({ page, watch } = await openPage(browser, tokenService.url, { colorScheme: "light" }))
  await page.goto(`${tokenService.url}/docs`)
  await page.getByLabel("Token").fill(TOKEN)
  await page.keyboard.press("Enter")
  await page.getByRole("heading", { name: "HTTP API" }).waitFor()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Type-checks TypeScript samples as modules of a strict program. */
const checkTypes = async (names: readonly string[]): Promise<void> => {
  const config = {
    extends: "../../../tsconfig.json",
    compilerOptions: {
      noEmit: true,
      incremental: false,
      moduleDetection: "force",
      types: ["node"],
      paths: { "earmark-client": ["../../../client/dist/index.d.ts"] },
    },
    include: [],
    files: names,
  }
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
  const compiler = join(root, "node_modules/typescript-native/bin/tsc")
  await run(process.execPath, [compiler, "--project", "tsconfig.json"], { cwd: folder }).catch(
    ({ stdout }: { stdout: string }) => expect.fail(stdout),
  )
}

/** Returns a text for a parameter that its type allows. */
const exampleOf = ({ type, choices, placeholder }: CallParameter): string =>
  type === "number" ? placeholder || "1" : type === "list" ? choices.join(",") : (choices[0] ?? (placeholder || "it's"))

describe("the samples of all calls", () => {
  const entries = [...groupByTag(openApiDocument() as OpenApi).values()].flat()
  const samplesIn = (origin: string, language: Language): [id: string, sample: string][] =>
    entries.flatMap((entry) => {
      const info = describeCall(entry)
      const form = emptyForm(info)
      const texts = Object.fromEntries(info.parameters.map((parameter) => [keyOf(parameter), exampleOf(parameter)]))
      const withoutHeaders = Object.fromEntries(Object.entries(texts).filter(([key]) => !key.startsWith("header:")))
      const forms = {
        required: form,
        complete: { ...form, texts },
        query: { ...form, texts: { ...form.texts, ...withoutHeaders } },
        ...(info.form && { file: { ...form, bodyKind: "form" as const } }),
      }
      return Object.entries(forms).map(([kind, filled]): [string, string] => {
        const options = { origin, withToken: info.needsToken }
        return [`${entry.id}-${kind}`, toSample(language, toCall(info, filled), options)]
      })
    })

  it("are valid TypeScript with the types of the client", async ({ tokenService }) => {
    const samples = samplesIn(tokenService.url, "typescript")
    for (const [id, sample] of samples) writeFileSync(join(folder, `${id}.ts`), sample)
    await checkTypes(samples.map(([id]) => `${id}.ts`))
  })
  it("are valid Python", async ({ tokenService }) => {
    const code = "import ast, json, sys\nfor id, sample in json.load(open(sys.argv[1])): ast.parse(sample, id)"
    const file = join(folder, "samples.json")
    writeFileSync(file, JSON.stringify(samplesIn(tokenService.url, "python")))
    await run("python3", ["-c", code, file])
  })
  it("are valid shell commands", async ({ tokenService }) => {
    const samples = samplesIn(tokenService.url, "curl").map(([, sample]) => sample)
    const file = join(folder, "samples.sh")
    writeFileSync(file, samples.join("\n"))
    await run("bash", ["-n", file])
  })
})

/** Returns the section of an endpoint with its form open. */
const open = async (id: string) => {
  const section = page.locator(`#${id}`)
  await section.getByRole("button", { name: `Try it: ${id}` }).click()
  return section
}

const answerOf = (section: Locator) => section.getByRole("region", { name: /^Answer of / })

/** Returns the JSON body of a complete answer. */
const readAnswer = async (section: Locator, status: string): Promise<unknown> => {
  await answerOf(section).getByText(status).waitFor()
  return JSON.parse(await answerOf(section).getByRole("figure").innerText())
}

const readSamples = async (section: Locator): Promise<Record<Language, string>> => {
  const samples: Partial<Record<Language, string>> = {}
  for (const language of LANGUAGES) {
    const name = LANGUAGE_NAMES[language]
    await section.getByText(name, { exact: true }).click()
    samples[language] = await section.getByRole("figure", { name: `${name} sample` }).innerText()
  }
  return samples as Record<Language, string>
}

const env = { ...process.env, EARMARK_TOKEN: TOKEN }

/** Runs samples as their readers would, and returns what they print. */
const runSamples = async (samples: Record<Language, string>, name: string): Promise<Record<Language, string>> => {
  writeFileSync(join(folder, `${name}.ts`), samples.typescript)
  const outfile = join(folder, `${name}.mjs`)
  await build({
    entryPoints: [join(folder, `${name}.ts`)],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    alias: { "earmark-client": join(root, "client/dist/index.js") },
  })
  const programs = {
    curl: run("bash", ["-c", samples.curl], { cwd: folder, env }),
    typescript: run(process.execPath, [outfile], { cwd: folder, env }),
    python: run("python3", ["-c", samples.python], { cwd: folder, env }),
  }
  const outputs = await Promise.all(LANGUAGES.map(async (language) => [language, (await programs[language]).stdout]))
  return Object.fromEntries(outputs)
}

describe("the reference of the API", () => {
  it("sends a call as it is filled in, and its samples do the same", async () => {
    const words = ["The", "mast", "is", "of", "spruce."]
    const transcription = words.map((word, i) => ({ word, start: i / 2, end: (i + 1) / 2, speaker: "0" }))
    const submit = await open("submitJob")
    await submit.getByLabel("Body", { exact: true }).fill(JSON.stringify({ source: "name:it's", transcription }))
    await submit.getByRole("button", { name: "Send" }).click()
    const submitted = (await readAnswer(submit, "202 Accepted")) as { job_id: string; session_id: string }
    expect(submitted.job_id).toMatch(/^[\da-f-]{36}$/)
    const headers = answerOf(submit).locator("details")
    await headers.getByText("headers").click()
    expect(await headers.innerText()).toContain(`/jobs/${submitted.job_id}`)
    expect(await answerOf(submit).getByRole("status").innerText()).toMatch(/^202 Accepted\s+\d+ ms\s+\d+ B$/)
    const printed = await runSamples(await readSamples(submit), "submit")
    expect(JSON.parse(printed.curl)).toEqual({ job_id: expect.any(String), session_id: submitted.session_id })
    expect(printed.typescript).toContain(`session_id: '${submitted.session_id}'`)
    expect(printed.python).toContain(`'session_id': '${submitted.session_id}'`)

    const job = await open("getJob")
    await job.getByLabel("job_id", { exact: true }).fill(submitted.job_id)
    await job.getByLabel("wait", { exact: true }).fill("60")
    await job.getByRole("button", { name: "Send" }).click()
    expect(await readAnswer(job, "200 OK")).toMatchObject({ status: "done", session_id: submitted.session_id })

    const list = await open("listJobs")
    await list.getByLabel("limit", { exact: true }).fill("2")
    await list.getByRole("combobox", { name: "status" }).selectOption("done")
    for (const name of ["title", "job_id"])
      await list.getByRole("checkbox", { name, exact: true }).check({ force: true })
    const answers = await runSamples(await readSamples(list), "list")
    await list.getByRole("button", { name: "Send" }).click()
    const { jobs } = (await readAnswer(list, "200 OK")) as { jobs: object[] }
    expect(jobs).toHaveLength(2)
    expect(jobs[0]).toEqual({ job_id: expect.any(String), title: "it's" })
    expect(JSON.parse(answers.curl)).toEqual({ jobs, next_cursor: expect.any(String) })
    expect(answers.python).toContain("'next_cursor'")
    expect(answers.typescript).toContain("next_cursor")
    await checkTypes(["submit.ts", "list.ts"])
    expect(watch.errors).toEqual([])
  })
  it("uploads files, streams events and offers files to save", async () => {
    const submit = page.locator("#submitJob")
    await submit.getByText("File", { exact: true }).click()
    const sample = join(root, "public/samples/three-subjects.flac")
    await submit.getByLabel("file", { exact: true }).setInputFiles(sample)
    await submit.getByLabel("Other fields").fill('{"title": "Three subjects", "language": null}')
    const samples = await readSamples(submit)
    expect(samples.curl).toContain("-F 'title=Three subjects'")
    expect(samples.typescript).toContain('client.upload(await openAsBlob("three-subjects.flac")')
    await submit.getByRole("button", { name: "Send" }).click()
    const { job_id } = (await readAnswer(submit, "202 Accepted")) as { job_id: string }

    const events = await open("jobEvents")
    await events.getByLabel("job_id", { exact: true }).fill(job_id)
    await events.getByRole("button", { name: "Send" }).click()
    await answerOf(events).getByText("event: progress").waitFor()
    await events.getByRole("button", { name: "Stop" }).click()
    await events.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
    const cancel = await open("cancelJob")
    await cancel.getByLabel("job_id", { exact: true }).fill(job_id)
    await cancel.getByRole("button", { name: "Send" }).click()
    expect(await readAnswer(cancel, "200 OK")).toMatchObject({ status: "cancelled" })

    const add = await open("addDocument")
    const notes = { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Bees") }
    await add.getByLabel("file", { exact: true }).setInputFiles(notes)
    await add.getByRole("button", { name: "Send" }).click()
    const document = (await readAnswer(add, "201 Created")) as { id: string }
    const file = await open("documentFile")
    await file.getByLabel("id", { exact: true }).fill(document.id)
    await file.getByRole("button", { name: "Send" }).click()
    const saving = page.waitForEvent("download")
    await answerOf(file).getByRole("link", { name: "Save the body" }).click()
    expect(readFileSync((await (await saving).path())!, "utf8")).toBe("# Bees")
    expect(watch.errors).toEqual([])
  })
  it("shows errors of the service and of the form", async () => {
    const clip = await open("getClip")
    await clip.getByRole("button", { name: "Send" }).click()
    expect(
      await clip
        .getByRole("textbox", { name: "id", exact: true })
        .evaluate((input: HTMLInputElement) => input.validity.valid),
    ).toBe(false)
    await clip.getByRole("textbox", { name: "id", exact: true }).fill("nobody")
    await page.keyboard.press("Enter")
    expect(await readAnswer(clip, "404 Not Found")).toMatchObject({ detail: "unknown clip 'nobody'" })
    const edit = await open("editClip")
    await edit.getByLabel("Body", { exact: true }).fill("{title}")
    await edit.getByText(/^This is not JSON/).waitFor()
    expect(await edit.getByRole("button", { name: "Send" }).isDisabled()).toBe(true)
    // The browser logs the answer 404.
    expect(watch.errors.splice(0)).toEqual([expect.stringContaining("404")])
  })
  it("sends a token instead of the session, and keeps it for the tab only", async () => {
    const health = await open("listTokens")
    await health.getByLabel("API token").fill("earmark_unknown_token")
    await health.getByRole("button", { name: "Send" }).click()
    expect(await readAnswer(health, "401 Unauthorized")).toMatchObject({ code: "unauthorized" })
    await page.reload()
    const again = await open("listTokens")
    expect(await again.getByLabel("API token").inputValue()).toBe("earmark_unknown_token")
    await again.getByLabel("API token").fill("")
    await again.getByRole("button", { name: "Send" }).click()
    expect(await readAnswer(again, "200 OK")).toMatchObject({ tokens: [], is_setting_set: true })
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("unknown_token")
    expect(watch.errors.splice(0)).toEqual([expect.stringContaining("401")])
  })
  it("can be used by keyboard, filters its navigation and passes axe", async () => {
    await page.getByRole("searchbox", { name: "Filter endpoints" }).fill("webhook")
    const nav = page.getByRole("navigation", { name: "Endpoints" })
    expect(await nav.getByRole("link", { name: "GET /jobs", exact: true }).count()).toBe(0)
    await nav.getByRole("link", { name: "POST /webhooks", exact: true }).press("Enter")
    await nav.locator("[aria-current]").getByText("/webhooks").first().waitFor()
    const create = page.locator("#createWebhook")
    await create.getByRole("button", { name: "Try it: createWebhook" }).press("Enter")
    await page.keyboard.press("Tab")
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("TEXTAREA")
    await create.getByRole("radio", { name: "curl" }).focus()
    await page.keyboard.press("ArrowRight")
    await create.getByRole("figure", { name: "TypeScript sample" }).waitFor()
    await expectAccessible(page, "#createWebhook, nav[aria-label=Endpoints]")
    await picture(page, "docs-try")
    expectQuiet(watch)
  })
})
