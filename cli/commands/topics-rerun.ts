import type { Command } from "commander"
import type { EarmarkClient } from "#lib/api/client/index.ts"
import type { TopicTree } from "#lib/domain/topics/topic-tree.ts"
import { Earmark } from "#lib/sdk/index.ts"
import { CLIP_ARGUMENT, toClipId } from "../clip-id.ts"
import { settings } from "../environment.ts"
import { parseJobOptions, topicFlags } from "../job-flags.ts"
import { printResult } from "../output.ts"
import { createStageBars } from "../progress.ts"
import { waitForJob } from "../recordings/processor.ts"
import { openRemote, type RemoteFlags, remoteFlags } from "../remote.ts"
import { formatTree } from "../tree.ts"

type Bars = ReturnType<typeof createStageBars>
type Options = ReturnType<typeof parseJobOptions>

const rerunHere = async (id: string, options: Options, bars: Bars): Promise<TopicTree> => {
  const earmark = new Earmark(settings())
  try {
    return (await earmark.rerunTopics(id, { ...options, onProgress: (p) => bars.update(p.stage, p.done, p.total) }))
      .tree
  } finally {
    await earmark.close()
  }
}

/** Returns the tree without edits, as a run in this process does. */
const rerunThere = async (client: EarmarkClient, id: string, options: Options, bars: Bars): Promise<TopicTree> => {
  const { job_id } = await client.rerunTopics(id, options)
  await waitForJob(client, job_id, bars)
  return (await client.topicRun(id, job_id)).tree
}

export const addTopicsRerun = (topics: Command): void => {
  topicFlags(remoteFlags(topics.command("rerun").argument("<clip>", CLIP_ARGUMENT)))
    .description("find topics again in the existing transcript; topic edits are kept")
    .action(async (given: string, flags: RemoteFlags & Record<string, unknown>) => {
      const [id, options] = [toClipId(given), parseJobOptions(flags)]
      const remote = openRemote(flags)
      const bars = createStageBars()
      try {
        const tree = await (remote ? rerunThere(remote, id, options, bars) : rerunHere(id, options, bars))
        bars.end()
        printResult(tree, () => formatTree(tree))
      } finally {
        bars.end()
      }
    })
}
