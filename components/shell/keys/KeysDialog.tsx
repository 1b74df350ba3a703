"use client"
import { Fragment } from "react"
import { Dialog } from "../../ui/Dialog.tsx"
import { closeKeys, useKeys } from "./keys-store.ts"

/** The keyboard shortcuts of the open page and of all pages. */
export const KeysDialog = () => {
  const groups = useKeys((s) => s.groups)
  // The shortcuts of the page come before those of all pages.
  const sorted = [...groups].sort(([a], [b]) => Number(a === "Everywhere") - Number(b === "Everywhere"))
  return (
    <Dialog open onClose={closeKeys} title="Keyboard shortcuts">
      <div className="grid gap-5">
        {sorted.map(([heading, hints]) => (
          <section key={heading} className="grid gap-2">
            <h3 className="text-sm font-[620] text-muted">{heading}</h3>
            <dl className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-2">
              {hints.map(({ keys, action }) => (
                <Fragment key={action}>
                  <dt>{action}</dt>
                  <dd className="flex flex-wrap justify-end gap-1">
                    {keys.map((key) => (
                      <kbd key={key} className="rounded-sm border border-line bg-paper px-1.5 font-sans text-xs">
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
