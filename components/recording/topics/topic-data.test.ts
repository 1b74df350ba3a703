import { expect, it } from "vitest"
import { withTopicVersion } from "./topic-data.ts"

it("replaces only the version of the topics in the ETag of a clip", () => {
  expect(withTopicVersion('"mix-n2.s0.w1.t5"', '"mix-t6"')).toBe('"mix-n2.s0.w1.t6"')
  expect(withTopicVersion('"t1x-n2.s0.w1.t5.l3"', '"t1x-t6"')).toBe('"t1x-n2.s0.w1.t6.l3"')
  expect(withTopicVersion(undefined, '"mix-t6"')).toBeUndefined()
  expect(withTopicVersion('"mix-n2.s0.w1.t5"', undefined)).toBeUndefined()
})
