import type { ReactNode } from "react"
import { IconButton } from "../../ui/Button.tsx"

type SidePanelProps = { label: string; header: ReactNode; closeLabel: string; onClose: () => void; children: ReactNode }

/** A panel at the right edge of the map, or a bottom sheet on a phone. */
export const SidePanel = ({ label, header, closeLabel, onClose, children }: SidePanelProps) => (
  <aside
    aria-label={label}
    className="panel pointer-events-auto z-30 flex max-h-[54dvh] min-h-0 animate-sheet flex-col pb-[env(safe-area-inset-bottom)] max-md:col-span-full max-md:row-4 max-md:mt-2 md:col-4 md:row-span-full md:ml-3 md:max-h-none md:w-92 md:animate-slide"
  >
    <div className="flex items-center justify-between py-1.5 pr-1.5 pl-5">
      {header}
      <IconButton name="close" label={closeLabel} onClick={onClose} />
    </div>
    {children}
  </aside>
)
