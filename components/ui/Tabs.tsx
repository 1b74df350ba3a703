"use client"
import { Tabs as Base } from "@base-ui/react/tabs"
import type { ReactNode } from "react"

type TabsProps<T extends string> = {
  value: T
  onChange: (value: T) => void
  label: string
  tabs: readonly { value: T; label: string; body: ReactNode }[]
  className?: string
}

/** A few views of one thing, one at a time. Arrow keys go from tab to tab. */
export const Tabs = <T extends string>({ value, onChange, label, tabs, className }: TabsProps<T>) => (
  <Base.Root value={value} onValueChange={(next) => onChange(next as T)} className={className}>
    <Base.List aria-label={label} className="flex gap-1 border-b border-line">
      {tabs.map((tab) => (
        <Base.Tab
          key={tab.value}
          value={tab.value}
          className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm font-[560] text-muted transition hover:text-ink data-[active]:border-accent data-[active]:text-ink"
        >
          {tab.label}
        </Base.Tab>
      ))}
    </Base.List>
    {tabs.map((tab) => (
      <Base.Panel key={tab.value} value={tab.value} className="min-h-0 flex-1 outline-offset-[-2px]">
        {tab.body}
      </Base.Panel>
    ))}
  </Base.Root>
)
