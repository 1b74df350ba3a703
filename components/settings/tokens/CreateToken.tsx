"use client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { SCOPES } from "#lib/domain/constants.ts"
import type { Scope } from "#lib/domain/tokens.ts"
import { client, errorMessage } from "../../api/client.ts"
import { queryKeys } from "../../api/query-keys.ts"
import { Button } from "../../ui/Button.tsx"
import { Dialog } from "../../ui/Dialog.tsx"
import { Field } from "../../ui/Field.tsx"
import { Segmented } from "../../ui/Segmented.tsx"
import { SecretDialog } from "../SecretDialog.tsx"

const DAY_MS = 86_400_000

const EXPIRIES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "never", label: "Never" },
] as const
type Expiry = (typeof EXPIRIES)[number]["value"]

const SCOPE_HINTS: Readonly<Record<Scope, string>> = {
  read: "Reads recordings, jobs, documents and the map, and asks questions.",
  write: "Also adds, edits and deletes recordings, jobs and documents.",
  admin: "Also manages tokens, webhooks and speech models.",
}

const toExpiry = (choice: Expiry): string | null =>
  choice === "never" ? null : new Date(Date.now() + Number(choice) * DAY_MS).toISOString()

/** The dialog that creates a token and shows it once. */
export const CreateToken = ({ isFirst: isNoneYet, onClose }: { isFirst: boolean; onClose: () => void }) => {
  const queryClient = useQueryClient()
  // The list has the new token as soon as it is created.
  const [isFirst] = useState(isNoneYet)
  const [name, setName] = useState("")
  const [scope, setScope] = useState<Scope>(isFirst ? "admin" : "read")
  const [expiry, setExpiry] = useState<Expiry>("never")
  const create = useMutation({
    mutationFn: () => client.createToken({ name, scopes: [scope], expires_at: toExpiry(expiry) }),
  })
  const close = () => {
    onClose()
    if (!create.isSuccess) return
    if (isFirst) window.location.reload()
    else void queryClient.invalidateQueries({ queryKey: queryKeys.tokens })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  if (create.isSuccess)
    return (
      <SecretDialog
        title="Your new token"
        name="Token"
        secret={create.data.token}
        note={isFirst && "The service now requires a token. Keep this one: you sign in with it on the next page."}
        done={isFirst ? "Sign in" : "Done"}
        onClose={close}
      />
    )
  return (
    <Dialog open onClose={close} title="Create token">
      <form onSubmit={submit} className="grid gap-4">
        <Field
          label="Name"
          hint="What the token is for, such as “nightly import”"
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={100}
          error={create.isError ? errorMessage(create.error) : null}
        />
        <div className="grid justify-items-start gap-1">
          <p className="text-sm font-[560]">Scope</p>
          <Segmented
            label="Scope"
            value={scope}
            options={SCOPES.map((value) => ({ value, label: value }))}
            onChange={setScope}
          />
          <p className="text-xs text-muted">{SCOPE_HINTS[scope]}</p>
        </div>
        <div className="grid justify-items-start gap-1">
          <p className="text-sm font-[560]">Expires</p>
          <Segmented label="Expires" value={expiry} options={EXPIRIES} onChange={setExpiry} />
        </div>
        <div className="flex justify-end gap-2">
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" disabled={create.isPending || name.trim() === ""}>
            Create token
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
