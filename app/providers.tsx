"use client"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { ReadyToast } from "#components/library/first-run/ReadyToast.tsx"
import { RecorderHost } from "#components/recorder/RecorderHost.tsx"
import { KeysHost } from "#components/shell/keys/KeysHost.tsx"
import { OfflineNavigationGuard } from "#components/shell/OfflineNavigationGuard.tsx"
import { ServiceWorkerHost } from "#components/shell/offline/ServiceWorkerHost.tsx"
import { CommandPaletteHost } from "#components/shell/palette/CommandPaletteHost.tsx"
import { PlayerHost } from "#components/shell/player/PlayerHost.tsx"
import { Toasts } from "#components/ui/Toasts.tsx"

/** Uses network mode `always`, because a browser without a network still reaches a service on the same machine. */
const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: { retry: 1, refetchOnWindowFocus: false, staleTime: 2000, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
  })

export const Providers = ({ children }: { children: ReactNode }) => {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <PlayerHost />
      <RecorderHost />
      <CommandPaletteHost />
      <KeysHost />
      <ServiceWorkerHost />
      <OfflineNavigationGuard />
      <ReadyToast />
      <Toasts />
    </QueryClientProvider>
  )
}
