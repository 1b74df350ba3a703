"use client"
import { Dialog } from "../../ui/Dialog.tsx"
import { LIBRARY_KEYS } from "./use-library-keys.ts"

/** Lists the keys of the library. */
export const KeysDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onClose={onClose} title="Keys">
    <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2.5 text-sm">
      {LIBRARY_KEYS.map(([keys, what]) => (
        <div key={keys} className="contents">
          <dt className="flex gap-1">
            {keys.split(", ").map((key) => (
              <kbd key={key} className="rounded-sm border border-line px-1.5 font-sans text-xs text-soft">
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
