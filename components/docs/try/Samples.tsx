"use client"
import { cx } from "../../ui/cx.ts"
import type { ApiCall } from "../filled-form.ts"
import { LANGUAGE_NAMES, LANGUAGES, type Language, toSample } from "../samples/samples.ts"
import { CodeBlock } from "./CodeBlock.tsx"
import { createStoredText, useStoredText } from "./stored-text.ts"

const chosenLanguage = createStoredText("earmark.docs.language", { storage: () => localStorage, initial: "curl" })

type SamplesProps = { call: ApiCall; origin: string; withToken: boolean }

/** Shows a call in each language, one at a time. All calls of the page show the same language. */
export const Samples = ({ call, origin, withToken }: SamplesProps) => {
  const [stored, choose] = useStoredText(chosenLanguage)
  const language = LANGUAGES.find((name) => name === stored) ?? "curl"
  const { id } = call.info
  return (
    <div className="min-w-0">
      <fieldset className="flex gap-1 border-line border-b px-2 pt-1">
        <legend className="sr-only">Language of the sample</legend>
        {LANGUAGES.map((name: Language) => (
          <label
            key={name}
            className={cx(
              "relative cursor-pointer border-b-2 px-2 py-1.5 text-xs font-[560] has-focus-visible:outline-2 has-focus-visible:outline-accent",
              name === language ? "border-accent text-ink" : "border-transparent text-muted hover:text-ink",
            )}
          >
            <input
              type="radio"
              name={`language-${id}`}
              checked={name === language}
              onChange={() => choose(name)}
              className="sr-only"
            />
            {LANGUAGE_NAMES[name]}
          </label>
        ))}
      </fieldset>
      <CodeBlock
        label={`${LANGUAGE_NAMES[language]} sample of ${id}`}
        text={toSample(language, call, { origin, withToken })}
      />
    </div>
  )
}
