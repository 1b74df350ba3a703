import { afterEach, describe, expect, it, vi } from "vitest"
import { withUploadLock } from "./upload-lock.ts"

afterEach(() => {
  vi.useRealTimers()
})

/** A store whose lease another process holds until the test frees it. */
const createLeases = () => {
  const state = {
    isFree: true,
    acquired: [] as { name: string; owner: string; ttlMs: number }[],
    released: [] as { name: string; owner: string }[],
  }
  const outbox = {
    acquireLease: async (lease: { name: string; owner: string; ttlMs: number }) => {
      state.acquired.push(lease)
      return state.isFree
    },
    releaseLease: async (lease: { name: string; owner: string }) => {
      state.released.push(lease)
    },
  }
  return { state, store: { outbox } as unknown as Parameters<typeof withUploadLock>[0] }
}

describe("withUploadLock", () => {
  it("returns the result of the work and releases the lock, also after an error", async () => {
    const { state, store } = createLeases()
    expect(await withUploadLock(store, "a.wav", async () => state.released.length)).toBe(0)
    expect(state.acquired).toEqual([{ name: "upload a.wav", ttlMs: 30_000, owner: expect.any(String) }])
    const failing = withUploadLock(store, "a.wav", () => Promise.reject(new Error("no space")))
    await expect(failing).rejects.toThrow("no space")
    expect(state.released).toEqual(state.acquired.map(({ name, owner }) => ({ name, owner })))
    expect(state.acquired[0]!.owner).not.toBe(state.acquired[1]!.owner)
  })

  it("needs no lock without a database", async () => {
    expect(await withUploadLock(null, "a.wav", async () => 7)).toBe(7)
  })

  it("waits for another process, and gives up after a minute", async () => {
    vi.useFakeTimers()
    const { state, store } = createLeases()
    state.isFree = false
    const work = vi.fn(async () => "done")
    const waiting = withUploadLock(store, "a.wav", work)
    await vi.advanceTimersByTimeAsync(59_000)
    expect(work).not.toHaveBeenCalled()
    state.isFree = true
    await vi.advanceTimersByTimeAsync(100)
    expect(await waiting).toBe("done")
    state.isFree = false
    const tooLong = withUploadLock(store, "a.wav", work)
    const refused = expect(tooLong).rejects.toMatchObject({ code: "unavailable", retry: "retry" })
    await vi.advanceTimersByTimeAsync(60_200)
    await refused
    expect(work).toHaveBeenCalledOnce()
  })

  it("renews the lock three times within its lifetime, and not after the work", async () => {
    vi.useFakeTimers()
    const { state, store } = createLeases()
    let finish = () => {}
    const running = withUploadLock(store, "a.wav", () => new Promise<void>((resolve) => (finish = resolve)))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(state.acquired).toHaveLength(4)
    finish()
    await running
    await vi.advanceTimersByTimeAsync(60_000)
    expect(state.acquired).toHaveLength(4)
  })

  it("releases the lock after a renewal that is in progress when the work ends", async () => {
    vi.useFakeTimers()
    const { state, store } = createLeases()
    let finish = () => {}
    let answer = () => {}
    const running = withUploadLock(store, "a.wav", () => new Promise<void>((resolve) => (finish = resolve)))
    await vi.advanceTimersByTimeAsync(5000)
    store!.outbox.acquireLease = () => new Promise((resolve) => (answer = () => resolve(true)))
    await vi.advanceTimersByTimeAsync(5000)
    finish()
    await vi.advanceTimersByTimeAsync(1)
    expect(state.released).toEqual([])
    answer()
    await running
    expect(state.released).toHaveLength(1)
  })

  it("keeps the result of the work if the database does not answer meanwhile", async () => {
    vi.useFakeTimers()
    const { state, store } = createLeases()
    const running = withUploadLock(store, "a.wav", async () => {
      store!.outbox.acquireLease = () => Promise.reject(new Error("no answer"))
      store!.outbox.releaseLease = () => Promise.reject(new Error("no answer"))
      await vi.advanceTimersByTimeAsync(10_000)
      return state.acquired.length
    })
    expect(await running).toBe(1)
  })
})
