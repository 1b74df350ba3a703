import { describe } from "vitest"
import { testClipEdits } from "./clip-edits.testsuite.ts"
import { testClipVersions } from "./clip-versions.testsuite.ts"
import { testClips } from "./clips.testsuite.ts"
import type { StoreSetup } from "./fixtures.ts"
import { testGpu } from "./gpu.testsuite.ts"
import { testIdempotency } from "./idempotency.testsuite.ts"
import { testInstallation } from "./installation.testsuite.ts"
import { testJobs } from "./jobs.testsuite.ts"
import { testJoin } from "./join.testsuite.ts"
import { testLabels, testSavedViews } from "./labels.testsuite.ts"
import { testLibrary } from "./library.testsuite.ts"
import { testLifecycle } from "./lifecycle.testsuite.ts"
import { testLists } from "./lists.testsuite.ts"
import { testMap } from "./map.testsuite.ts"
import { testModels } from "./models.testsuite.ts"
import { testNotes } from "./notes.testsuite.ts"
import { testOutbox } from "./outbox.testsuite.ts"
import { testPeople } from "./people.testsuite.ts"
import { testReplacements } from "./replacements.testsuite.ts"
import { testResumableUploads } from "./resumable-uploads.testsuite.ts"
import { testRetention } from "./retention.testsuite.ts"
import { testShares } from "./shares.testsuite.ts"
import { testStages } from "./stages.testsuite.ts"
import { testSummaries } from "./summaries.testsuite.ts"
import { testThreads } from "./threads.testsuite.ts"
import { testTokens } from "./tokens.testsuite.ts"
import { testTopics } from "./topics.testsuite.ts"
import { testVocabulary } from "./vocabulary.testsuite.ts"
import { testWebhooks } from "./webhooks.testsuite.ts"
import { testWordEdits } from "./word-edits.testsuite.ts"

/**
 * Tests an implementation of `Store`. `setup` creates an empty store for each test.
 * @param randomRuns the number of random sequences of events
 */
export const testStore = (name: string, setup: StoreSetup, { randomRuns = 40 } = {}) =>
  describe(`${name} store`, () => {
    testJobs(setup)
    testJoin(setup)
    testStages(setup)
    testOutbox(setup)
    testGpu(setup)
    testModels(setup)
    testClips(setup)
    testClipEdits(setup)
    testLists(setup)
    testLabels(setup)
    testThreads(setup)
    testSavedViews(setup)
    testClipVersions(setup)
    testWordEdits(setup)
    testTopics(setup)
    testMap(setup)
    testLibrary(setup)
    testInstallation(setup)
    testIdempotency(async () => {
      const { store, another, clock, teardown } = await setup()
      return {
        keys: store.idempotency,
        another: async () => (await another()).idempotency,
        advance: clock.advance,
        teardown,
      }
    })
    testResumableUploads(setup)
    testRetention(setup)
    testTokens(setup)
    testShares(setup)
    testNotes(setup)
    testPeople(setup)
    testVocabulary(setup)
    testSummaries(setup)
    testReplacements(setup)
    testWebhooks(setup)
    testLifecycle(setup, randomRuns)
  })
