"use client"
import { usePersistedChoice } from "../../ui/use-persisted-choice.ts"

const CHOICES = ["shown", "hidden"] as const

/** Remembers in this browser whether transcripts leave out fillers such as "um". */
export const useHidesFillers = (): [boolean, (hides: boolean) => void] => {
  const [choice, choose] = usePersistedChoice("earmark.fillers", CHOICES, "shown")
  return [choice === "hidden", (hides) => choose(hides ? "hidden" : "shown")]
}
