import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { cleanup, configure, render } from "@testing-library/react"
import { userEvent } from "@testing-library/user-event"
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime.js"
import type { ReactNode } from "react"
import { afterEach, vi } from "vitest"

// Many files share the processor, and parts of pages load on demand.
configure({ asyncUtilTimeout: 5000 })

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const ignore = (): void => {}

/** Creates a router that adds the paths that a component navigates to. */
export const createRouter = (navigations: string[]): AppRouterInstance => {
  const navigate = (href: string): void => void navigations.push(href)
  return {
    bfcacheId: "",
    back: ignore,
    forward: ignore,
    refresh: ignore,
    prefetch: ignore,
    push: navigate,
    replace: navigate,
  }
}

/**
 * Renders a component with the providers of a page and without retrying failed queries.
 * @returns the rendered view, simulated user input, and the paths that the component navigates to
 */
export const renderPage = (element: ReactNode) => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const navigations: string[] = []
  const router = createRouter(navigations)
  const wrap = (children: ReactNode) => (
    <AppRouterContext.Provider value={router}>
      <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
    </AppRouterContext.Provider>
  )
  const { rerender, ...view } = render(wrap(element))
  return { ...view, user: userEvent.setup(), navigations, rerender: (next: ReactNode) => rerender(wrap(next)) }
}

/** Replaces `fetch` with a function that responds with JSON by path. @returns the requests, as `METHOD /path body` */
export const stubApi = (responses: Readonly<Record<string, unknown>>): string[] => {
  const requests: string[] = []
  vi.stubGlobal("fetch", async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : String(input), "http://localhost")
    requests.push([init?.method ?? "GET", url.pathname, init?.body ?? ""].join(" ").trim())
    const body = responses[url.pathname]
    return body === undefined
      ? Response.json({ detail: `no response for ${url.pathname}` }, { status: 404 })
      : Response.json(body)
  })
  return requests
}
