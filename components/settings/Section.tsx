import type { ReactNode } from "react"

export const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="grid min-w-0 content-start gap-3">
    <h2 id={id} className="text-xl font-[620]">
      {title}
    </h2>
    {children}
  </section>
)
