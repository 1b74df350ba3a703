"use client"
import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"

const makeQueries = () =>
  new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false, staleTime: 2000 } } })

export const Providers = ({ children }: { children: ReactNode }) => {
  const [queries] = useState(makeQueries)
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}
