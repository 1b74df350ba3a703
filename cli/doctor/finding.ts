/** The result of one check. With state `error` Earmark cannot work; `fix` is a command or a change that helps. */
export type Finding = {
  readonly name: string
  readonly state: "ok" | "warn" | "error"
  readonly detail: string
  readonly fix?: string
}
