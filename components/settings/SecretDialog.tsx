import type { ReactNode } from "react"
import { Button } from "../ui/Button.tsx"
import { copyText } from "../ui/copy-text.ts"
import { Dialog } from "../ui/Dialog.tsx"

type SecretDialogProps = {
  title: string
  /** What the secret is, such as "Token". */
  name: string
  secret: string
  note?: ReactNode
  done?: string
  onClose: () => void
}

/** Shows a new secret, which the service does not show again. */
export const SecretDialog = ({ title, name, secret, note, done = "Done", onClose }: SecretDialogProps) => (
  <Dialog open onClose={onClose} title={title} lead="Copy it now. It is not shown again.">
    <div className="grid gap-4">
      <code
        data-secret
        className="rounded-md border border-line bg-paper px-3 py-2 text-sm select-all [overflow-wrap:anywhere]"
      >
        {secret}
      </code>
      {note && <p className="text-sm text-soft">{note}</p>}
      <div className="flex justify-end gap-2">
        <Button icon="copy" onClick={() => copyText(secret, name)}>
          Copy
        </Button>
        <Button variant="primary" onClick={onClose}>
          {done}
        </Button>
      </div>
    </div>
  </Dialog>
)
