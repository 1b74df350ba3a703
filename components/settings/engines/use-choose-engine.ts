"use client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import type { EngineGroup } from "#lib/domain/engines.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { notify, notifyError } from "../../ui/toast-queue.ts"

type Choice = { readonly kind: EngineGroup["kind"]; readonly value: string }

/** Returns a mutation that chooses an engine and reloads what shows it. */
export const useChooseEngine = () => {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, value }: Choice) => client.chooseEngine(kind, { value }),
    onSuccess: ({ is_pending, value, texts }) =>
      notify(
        is_pending ? `${texts.toLocaleString("en")} texts are being embedded with ${value}` : `${value} is now in use`,
      ),
    onError: (error) => notifyError(errorMessage(error)),
    onSettled: () =>
      Promise.all(
        [queryKeys.engines, queryKeys.installation, queryKeys.readiness, queryKeys.models, queryKeys.modelServers].map(
          (queryKey) => queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  })
}
