import { AppError } from "../domain/errors.ts"

/** The queues of some stages did not take their messages. All others of the batch are in their queues. */
export class PublishError extends AppError {
  /** The IDs of the messages that are not confirmed. */
  readonly unconfirmed: ReadonlySet<string>

  constructor(unconfirmed: Iterable<string>, why: string) {
    super("unavailable", `Couldn't publish a message: ${why}.`, { retry: "retry" })
    this.unconfirmed = new Set(unconfirmed)
  }
}
