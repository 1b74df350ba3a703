// biome-ignore-all lint/correctness/noEmptyPattern: Vitest reads from the pattern which fixtures another one needs.
import { createServer, type RequestListener } from "node:http"
import { test } from "vitest"
import { createClient } from "#lib/api/client/index.ts"
import { openModelHost } from "#test/fixtures/model-host.ts"
import { sound, wavOf } from "#test/fixtures/tones.ts"
import { listen } from "#test/fixtures/web.ts"
import { closePages, expectQuiet, openBrowser, openPage, startService, WITHOUT_OPENGL } from "./helpers.ts"

/** The token of `tokenService`. */
export const TOKEN = "a token of a test, long enough"

const openSite = async (listener: RequestListener, host = "127.0.0.1") => {
  const server = createServer(listener)
  const { port } = new URL(await listen(server))
  return { url: `http://${host}:${port}`, port, close: () => void server.close() }
}

/** Serves an empty page on `localhost`, which for a browser is another site than the services on `127.0.0.1`. */
export const openEmptySite = () =>
  openSite((_request, response) => {
    response.setHeader("content-type", "text/html")
    response.end("<!doctype html><title>Another page</title>")
  }, "localhost")

/** Serves a podcast feed of three short tones under `/feed.xml`, and a tone under any other path. */
const openPodcast = () =>
  openSite(({ url, headers }, response) => {
    if (url !== "/feed.xml") return void response.end(wavOf(sound([{ band: 2, at: 0.1, length: 0.4 }], 1)))
    const items = ["One", "Two", "Three"].map(
      (title, i) =>
        `<item><title>Episode ${title}</title><enclosure url="http://${headers.host}/${i}.wav" type="audio/wav"/></item>`,
    )
    response.setHeader("content-type", "application/rss+xml")
    response.end(`<rss version="2.0"><channel><title>Tones of the week</title>${items.join("")}</channel></rss>`)
  })

/** Deletes what tests have added to a service. */
const emptyService = async (url: string, token?: string): Promise<void> => {
  const client = createClient({ baseUrl: url, ...(token && { token }) })
  for (const status of ["queued", "running"] as const)
    for await (const { job_id } of client.allJobs({ status })) await client.cancel(job_id)
  for await (const { id } of client.allClips()) await client.deleteClip(id)
  for (const { id } of (await client.documents()).documents) await client.removeDocument(id)
  for (const { id } of (await client.threads()).threads) await client.deleteThread(id)
  for (const { id } of (await client.webhooks()).webhooks) await client.deleteWebhook(id)
}

/**
 * Declares a test with a page of the service that all test files share. Each test gets its own page, which must log no error
 * but the `expectedErrors`, and each file starts with an empty library. What a test does not name is not started.
 */
export const it = test
  .extend("modelHost", { scope: "worker" }, async ({}, { onCleanup }) => {
    const host = await openModelHost()
    onCleanup(host.close)
    return host
  })
  .extend("podcast", { scope: "worker" }, async ({}, { onCleanup }) => {
    const site = await openPodcast()
    onCleanup(site.close)
    return site
  })
  // The site of another origin whose pages may call the service.
  .extend("allowedSite", { scope: "worker" }, async ({}, { onCleanup }) => {
    const site = await openEmptySite()
    onCleanup(site.close)
    return site
  })
  .extend("sharedService", { scope: "worker" }, async ({ modelHost, podcast, allowedSite }, { onCleanup }) => {
    const service = await startService({
      SERVICE_SPEECH_ENGINE: "pocketsphinx",
      // Otherwise the speakers of a recording get the names that another test gave to the same voices.
      SERVICE_SPEAKER_EMBEDDINGS: "false",
      SERVICE_MODELS_OFFLINE: "false",
      SERVICE_MODELS_MIRROR: modelHost.url,
      SERVICE_FETCH_ALLOW: "127.0.0.1",
      SERVICE_FETCH_PORTS: podcast.port,
      SERVICE_WEBHOOK_ALLOW: "127.0.0.1",
      SERVICE_ALLOWED_ORIGINS: allowedSite.url,
    })
    onCleanup(service.stop)
    return service
  })
  .extend("sharedTokenService", { scope: "worker" }, async ({}, { onCleanup }) => {
    const service = await startService({ SERVICE_API_TOKEN: TOKEN })
    onCleanup(service.stop)
    return service
  })
  .extend("service", { scope: "file" }, async ({ sharedService }, { onCleanup }) => {
    onCleanup(() => emptyService(sharedService.url))
    return sharedService
  })
  // A service that requires TOKEN.
  .extend("tokenService", { scope: "file" }, async ({ sharedTokenService }, { onCleanup }) => {
    onCleanup(() => emptyService(sharedTokenService.url, TOKEN))
    return sharedTokenService
  })
  .extend("browser", { scope: "file" }, async ({}, { onCleanup }) => {
    const browser = await openBrowser(WITHOUT_OPENGL)
    onCleanup(() => closePages(browser))
    return browser
  })
  // The browser logs each response with an error status and each aborted request.
  .extend("expectedErrors", /404|409|412|415|422|ERR_FAILED/)
  .extend("opened", async ({ browser, service, expectedErrors }, { onCleanup }) => {
    const opened = await openPage(browser, service.url, {
      colorScheme: "light",
      permissions: ["clipboard-read", "clipboard-write"],
    })
    onCleanup(async () => {
      await opened.page.context().close()
      expectQuiet(opened.watch, expectedErrors)
    })
    return opened
  })
  .extend("page", ({ opened }) => opened.page)
  .extend("watch", ({ opened }) => opened.watch)
