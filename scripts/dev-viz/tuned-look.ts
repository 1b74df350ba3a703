import { create } from "zustand"
import { LOOK, type Look } from "#components/map/scene/look.ts"

/** The path of a number in the look, such as `point.scale`. */
type Path = string
type Changes = Readonly<Record<Path, number>>

const PREFIX = "look."
const WRITE_DELAY_MS = 250

type Tree = { readonly [key: string]: Tree | number }

/** Returns all numbers of a look by their path. */
export const listNumbers = (tree: object, path = ""): [Path, number][] =>
  Object.entries(tree as Tree).flatMap(([key, value]) =>
    typeof value === "number" ? [[path + key, value] as [Path, number]] : listNumbers(value, `${path}${key}.`),
  )

const withChanges = <T extends object>(tree: T, changes: Changes, path = ""): T => {
  const entries = Object.entries(tree).map(([key, value]) => [
    key,
    typeof value === "number" ? (changes[path + key] ?? value) : withChanges(value, changes, `${path}${key}.`),
  ])
  return (Array.isArray(tree) ? entries.map(([, value]) => value) : Object.fromEntries(entries)) as T
}

const readChanges = (): Changes =>
  Object.fromEntries(
    [...new URLSearchParams(window.location.search)]
      .filter(([name, value]) => name.startsWith(PREFIX) && Number.isFinite(Number(value)))
      .map(([name, value]) => [name.slice(PREFIX.length), Number(value)]),
  )

const writeChanges = (changes: Changes): void => {
  const url = new URL(window.location.href)
  for (const name of [...url.searchParams.keys()]) if (name.startsWith(PREFIX)) url.searchParams.delete(name)
  for (const [path, value] of Object.entries(changes)) url.searchParams.set(PREFIX + path, String(value))
  window.history.replaceState(null, "", url)
}

type TunedLook = { readonly look: Look; readonly changes: Changes }

const tune = (changes: Changes): TunedLook => ({ look: withChanges(LOOK, changes), changes })

/** The look of the scene with the values of the sliders, which the address keeps. */
export const useTunedLook = create<TunedLook>()(() => tune(readChanges()))

let timer: ReturnType<typeof setTimeout> | undefined

export const setLook = (changes: Changes): void => {
  useTunedLook.setState(tune(changes))
  clearTimeout(timer)
  timer = setTimeout(() => writeChanges(changes), WRITE_DELAY_MS)
}
