// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from "vitest"
import { keepUnseen } from "./ServiceWorkerHost"

afterEach(() => vi.unstubAllGlobals())

describe("the first visit", () => {
  it("stores the page and the responses that the worker has not seen, also those that arrive later", () => {
    let report: (entries: { name: string; workerStart: number }[]) => void = () => undefined
    const disconnect = vi.fn()
    class Observer {
      constructor(callback: (list: unknown) => void) {
        report = (entries) => callback({ getEntries: () => entries })
      }
      observe = vi.fn()
      disconnect = disconnect
    }
    vi.stubGlobal("PerformanceObserver", Observer)
    const postMessage = vi.fn()
    const stop = keepUnseen({ postMessage })
    report([{ name: "/a.js", workerStart: 0 }])
    report([
      { name: "/clips/1", workerStart: 0 },
      { name: "/clips/1/regions", workerStart: 12.5 },
    ])
    report([{ name: "/clips", workerStart: 40 }])
    expect(postMessage.mock.calls.map(([message]) => message)).toEqual([
      { loaded: [location.pathname] },
      { loaded: ["/a.js"] },
      { loaded: ["/clips/1"] },
    ])
    stop()
    expect(disconnect).toHaveBeenCalledOnce()
  })
})
