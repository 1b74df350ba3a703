import { spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"
import { expect } from "vitest"
import { findChromium } from "#test/fixtures/chromium.ts"

const root = join(import.meta.dirname, "../..")
const READY_MS = 60_000

/** Saves a screenshot to test/out for people to look at. No test compares it. */
export const picture = async (page: Page, name: string): Promise<void> => {
  const folder = join(root, "test/out")
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** A running service. `output` is what its processes have printed. */
export type Service = { readonly url: string; output(): string; stop(): Promise<void> }

/** Starts the built service with its workers on a free port and with a temporary data folder. */
export const startService = async (env: Record<string, string> = {}): Promise<Service> => {
  const data = mkdtempSync(join(tmpdir(), "earmark-e2e-"))
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), "serve"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      SERVICE_PORT: "0",
      SERVICE_DATA_DIR: data,
      SERVICE_PROVIDER: "builtin",
      SERVICE_MODELS_OFFLINE: "true",
      ...env,
    },
  })
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)))
  const stop = async () => {
    child.kill("SIGTERM")
    await ended
    rmSync(data, { recursive: true, force: true })
  }
  let output = ""
  const address = new Promise<string>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      output += chunk
      const address = /listening on (http:\/\/\S+)/.exec(output)?.[1]
      if (address) resolve(address)
    }
    child.stdout.on("data", listen)
    child.stderr.on("data", listen)
    ended.then((code) => reject(new Error(`the service exited with ${code} before it was ready:\n${output}`)))
  })
  try {
    const url = await address
    const until = Date.now() + READY_MS
    for (;;) {
      const headers = env.SERVICE_API_TOKEN ? { authorization: `Bearer ${env.SERVICE_API_TOKEN}` } : {}
      const answer = await fetch(`${url}/health/ready`, { headers }).catch(() => null)
      if (answer?.status === 200) return { url, output: () => output, stop }
      if (Date.now() > until) throw new Error(`not ready: ${await answer?.text()}\n${output}`)
      await new Promise((wake) => setTimeout(wake, 300))
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Composites pages without OpenGL, which takes a quarter less processor time where no graphics card helps. A page that
 * draws with WebGL then reads each frame back, with a warning.
 */
export const WITHOUT_OPENGL = ["--disable-gpu-compositing"]

/** Launches Chromium with software WebGL and without its background network requests. */
export const launch = (flags: readonly string[] = []) =>
  chromium.launch({
    executablePath: findChromium(),
    args: [
      "--no-sandbox",
      "--use-gl=angle",
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      "--disable-quic",
      // A microphone that hears a beep each second, and may be used without a question.
      "--use-fake-device-for-media-stream",
      "--use-fake-ui-for-media-stream",
      // Makes the headless shell draw text as Chromium does, which the stored pictures of the map need.
      "--font-render-hinting=slight",
      ...flags,
    ],
  })

const browsers = new Map<string, ReturnType<typeof launch>>()

/**
 * Returns the browser with these flags that all test files share, and launches it for the first one. Playwright ends it with
 * this process. A file closes its pages with `closePages`.
 */
export const openBrowser = async (flags: readonly string[] = []): Promise<Browser> => {
  const key = flags.join(" ")
  const known = await browsers.get(key)
  if (known?.isConnected()) return known
  const launched = launch(flags)
  browsers.set(key, launched)
  return launched
}

/** Closes all pages of a browser. */
export const closePages = async (browser: Browser | undefined): Promise<void> => {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
}

export type Watch = { readonly foreign: string[]; readonly errors: string[] }

/** Small, because a window without a graphics card takes processor time for each pixel. */
export const WINDOW = { width: 1080, height: 680 }

/**
 * Opens a page in a new browser context and records its requests to other origins and its console errors. Without the
 * service worker, whose requests a test could not answer.
 */
export const openPage = async (
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; watch: Watch }> => {
  const context = await browser.newContext({
    baseURL: url,
    viewport: WINDOW,
    colorScheme: "dark",
    serviceWorkers: "block",
    ...options,
  })
  const page = await context.newPage()
  const watch: Watch = { foreign: [], errors: [] }
  const origin = new URL(url).origin
  page.on("request", (request) => {
    const to = new URL(request.url())
    if (to.protocol.startsWith("http") && to.origin !== origin) watch.foreign.push(request.url())
  })
  page.on("console", (message) => message.type() === "error" && watch.errors.push(message.text()))
  page.on("pageerror", (error) => watch.errors.push(String(error)))
  return { page, watch }
}

/** Expects that a page requested nothing from another origin and logged no error but the `expected` ones. */
export const expectQuiet = (watch: Watch, expected?: RegExp): void => {
  expect(watch.foreign).toEqual([])
  expect(watch.errors.filter((error) => !expected?.test(error))).toEqual([])
}

/** Polls for up to 15 s, because the machine may be busy. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 15_000 })

/** Drags a file over the page and drops it. */
export const dropFile = async (page: Page, file: Buffer, name: string, type: string): Promise<void> => {
  const dataTransfer = await page.evaluateHandle(
    ({ base64, name, type }) => {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))
      const transfer = new DataTransfer()
      transfer.items.add(new File([bytes], name, { type }))
      return transfer
    },
    { base64: file.toString("base64"), name, type },
  )
  // Until the page handles the event, a drop would make the browser open the file.
  await page.waitForFunction(
    (dataTransfer) =>
      !document.body.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer })),
    dataTransfer,
  )
  await page.dispatchEvent("body", "drop", { dataTransfer })
}
