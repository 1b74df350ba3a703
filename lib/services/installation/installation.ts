import type { ChoiceKind } from "../../domain/engine-choice.ts"
import type { EngineChoiceMade, Installation } from "../../domain/installation.ts"
import { API_VERSION } from "../../domain/schemas.ts"
import { packageVersion } from "../../platform/package-root.ts"
import type { Deps } from "../deps.ts"
import { describeQueues, WORKER_STALE_AFTER_MS } from "./describe-queues.ts"
import { requireStore } from "./require.ts"

const iso = (ms: number): string => new Date(ms).toISOString()

/** The choices that stand, the queues and the workers: what `/health/ready` sums up, in full. */
export const describeInstallation = async (deps: Deps): Promise<Installation> => {
  const store = requireStore(deps)
  const choice = async (kind: ChoiceKind): Promise<EngineChoiceMade | null> =>
    deps.engines.choice(kind).then(
      ({ value, reason, chosen_at }) => ({ value, reason, chosen_at: iso(chosen_at) }),
      () => null,
    )
  const [provider, embedder, speech, queues, workers] = await Promise.all([
    choice("provider"),
    choice("embedder"),
    choice("speech"),
    deps.broker ? describeQueues({ store, broker: deps.broker }) : [],
    store.installation.listWorkers({ aliveWithinMs: WORKER_STALE_AFTER_MS }),
  ])
  return {
    version: packageVersion(),
    api_version: API_VERSION,
    choices: { provider, embedder, speech },
    queues,
    workers: workers.map(({ id, host, version, stages, started_at, active_at }) => ({
      id,
      host,
      version,
      stages: [...stages],
      started_at: iso(started_at),
      active_at: active_at === null ? null : iso(active_at),
    })),
  }
}
