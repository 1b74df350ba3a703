import { capabilityError } from "../../platform/capabilities/registry.ts"
import type { Broker, DeadLetter, DeadLetterChoice } from "../../queue/types.ts"
import type { Deps } from "../deps.ts"

type BrokerDeps = Pick<Deps, "broker" | "groups">

const requireBroker = ({ broker, groups }: BrokerDeps): Broker => {
  if (broker) return broker
  const group = groups.rag.state === "present" ? "broker" : "rag"
  throw capabilityError(group, groups[group])
}

/** Returns messages that could not be processed, with the reasons. @throws AppError `unavailable` */
export const listDeadLetters = (
  deps: BrokerDeps,
  query: DeadLetterChoice & { readonly limit: number },
): Promise<DeadLetter[]> => requireBroker(deps).deadLetters(query)

/** Moves dead letters back to their queues and returns their number. @throws AppError `unavailable` */
export const requeueDeadLetters = (deps: BrokerDeps, choice: DeadLetterChoice): Promise<number> =>
  requireBroker(deps).requeueDeadLetters(choice)

/** Deletes dead letters and returns their number. @throws AppError `unavailable` */
export const dropDeadLetters = (deps: BrokerDeps, choice: DeadLetterChoice): Promise<number> =>
  requireBroker(deps).dropDeadLetters(choice)
