"use client"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import type { ApiToken } from "#lib/domain/tokens.ts"
import { client, errorMessage, isForbidden } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { formatTimeAgo } from "../../ui/format.ts"
import { Notice } from "../../ui/Notice.tsx"
import { notify, notifyError } from "../../ui/toast-queue.ts"
import { Section } from "../Section.tsx"
import { CreateToken } from "./CreateToken.tsx"

const formatDay = (iso: string): string =>
  new Date(iso).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" })

const describeExpiry = (expiresAt: string | null): string => {
  if (expiresAt === null) return "never expires"
  return `${Date.parse(expiresAt) <= Date.now() ? "expired" : "expires"} ${formatDay(expiresAt)}`
}

const describeUse = (usedAt: string | null): string =>
  usedAt === null ? "never used" : `used ${formatTimeAgo(usedAt)}`

const TokenRow = ({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
    <div className="min-w-0 flex-1 basis-60">
      <p className="font-[580] [overflow-wrap:anywhere]">
        <bdi>{token.name}</bdi>
      </p>
      <p className="text-sm text-muted">
        <code>earmark_{token.id}_…</code> · {token.scopes.join(", ")} · {describeExpiry(token.expires_at)} ·{" "}
        {describeUse(token.last_used_at)}
      </p>
    </div>
    <Button icon="trash" onClick={onRevoke} aria-label={`Revoke ${token.name}`}>
      Revoke
    </Button>
  </li>
)

type RevokeDialogProps = { token: ApiToken; isLast: boolean; onClose: () => void }

const RevokeDialog = ({ token, isLast, onClose }: RevokeDialogProps) => {
  const queryClient = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => client.revokeToken(token.id),
    onSuccess: async () => {
      notify("Token revoked")
      onClose()
      await queryClient.invalidateQueries({ queryKey: queryKeys.tokens })
    },
    onError: (error) => notifyError(errorMessage(error)),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Revoke “${token.name}”?`}
      lead="Programs and browsers that use this token lose access at once."
    >
      <div className="grid gap-4">
        {isLast && (
          <p className="text-sm text-soft">
            This is the last token. Afterwards, everyone who can reach the service can use it.
          </p>
        )}
        <div className="flex justify-end gap-2">
          <Button variant="quiet" data-first onClick={onClose}>
            Cancel
          </Button>
          <Button variant="primary" disabled={revoke.isPending} onClick={() => revoke.mutate()}>
            Revoke token
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

/** The API tokens. They can be created and revoked with the scope `admin`. */
export const Tokens = () => {
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiToken | null>(null)
  const list = useQuery({
    queryKey: queryKeys.tokens,
    queryFn: ({ signal }) => client.tokens({ signal }),
    retry: false,
  })
  const tokens = list.data?.tokens ?? []
  const isSettingSet = list.data?.is_setting_set ?? false
  return (
    <Section id="tokens" title="API tokens">
      {list.isError &&
        (isForbidden(list.error) ? (
          <p className="text-sm text-muted">Sign in with a token of the scope admin to manage tokens.</p>
        ) : (
          <Notice onRetry={() => list.refetch()}>{errorMessage(list.error)}</Notice>
        ))}
      {list.isSuccess && (
        <>
          <p className="text-sm text-muted">
            {tokens.length === 0 && !isSettingSet
              ? "No tokens. From the first one on, the service requires a token, and you sign in with it."
              : "Programs send a token in the header “Authorization: Bearer …”."}
            {isSettingSet && " The token of the setting SERVICE_API_TOKEN has every scope and is not listed."}
          </p>
          <ul className="divide-y divide-line border-y border-line empty:hidden">
            {tokens.map((token) => (
              <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
            ))}
          </ul>
          <div>
            <Button icon="plus" onClick={() => setCreating(true)}>
              Create token
            </Button>
          </div>
        </>
      )}
      {isCreating && <CreateToken isFirst={tokens.length === 0 && !isSettingSet} onClose={() => setCreating(false)} />}
      {revoking && (
        <RevokeDialog
          token={revoking}
          isLast={tokens.length === 1 && !isSettingSet}
          onClose={() => setRevoking(null)}
        />
      )}
    </Section>
  )
}
