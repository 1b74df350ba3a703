"use client"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { OfflineNavigationGuard } from "#components/shell/OfflineNavigationGuard.tsx"
import { CommandPaletteHost } from "#components/shell/palette/CommandPaletteHost.tsx"
import { Toasts } from "#components/ui/Toasts.tsx"

/** `always`: the service is mostly on this very machine, which a browser without a network still reaches. */
const makeQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: 1, refetchOnWindowFocus: false, staleTime: 2000, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
  })

export const Providers = ({ children }: { children: ReactNode }) => {
  const [queries] = useState(makeQueries)
  return (
    <QueryClientProvider client={queries}>
      {children}
      <CommandPaletteHost />
      <OfflineNavigationGuard />
      <Toasts />
    </QueryClientProvider>
  )
}
