import { capabilityError } from "../../platform/capabilities/registry.ts"
import type { Broker, DeadLetter, DeadLetterChoice } from "../../queue/types.ts"
import type { Deps } from "../deps.ts"

const brokerOf = ({ broker, groups }: Pick<Deps, "broker" | "groups">): Broker => {
  if (broker) return broker
  const group = groups.rag.state === "present" ? "broker" : "rag"
  throw capabilityError(group, groups[group])
}

/** Messages that nobody could follow, with the reason. @throws AppError `unavailable` when the broker does not answer */
export const listDeadLetters = (
  deps: Pick<Deps, "broker" | "groups">,
  query: DeadLetterChoice & { readonly limit: number },
): Promise<DeadLetter[]> => brokerOf(deps).deadLetters(query)

/** Puts dead letters back into their queues. @returns how many. Throws as `listDeadLetters`. */
export const requeueDeadLetters = (deps: Pick<Deps, "broker" | "groups">, choice: DeadLetterChoice): Promise<number> =>
  brokerOf(deps).requeueDeadLetters(choice)
