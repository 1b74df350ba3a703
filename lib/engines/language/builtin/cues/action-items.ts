import { expandWords } from "./expand.ts"
import { CONNECTORS, compilePhrases } from "./phrases.ts"

/** What an action item begins with. `owner` says who has to act: the speaker, whom the speaker addresses, or a named person. */
export type ActionCue = {
  readonly owner: "speaker" | "addressee" | "everybody" | { readonly name: string }
  /** How sure the cue is, from 0 to 1. */
  readonly weight: number
}

/** Verbs of tasks: things that somebody does after the conversation and then has done. */
const TASK = compilePhrases(`
send|email|e-mail|mail|forward|circulate|distribute|share it|share the|share that|share my
write up|write down|write a|write the|write it|write that|write to|write some|draft|prepare|put together|set up|fill in
find out|look into|check|double check|double-check|verify|confirm|investigate|research|figure out|work out|look up|sort out
call|phone|ring|contact|reach out|get in touch|get back to|follow up|speak to|speak with|talk to|talk with|ask|invite|notify|inform|let you know
schedule|book|arrange|organize|organise|order|buy|get hold of|reserve|register|sign up
update|upload|download|fix|correct|change the|rewrite|revise|edit|review|proofread|read through|go through the|go over the|go away and
finish|finalize|finalise|complete|submit|hand in|deliver|present the|report back|report to|publish|post|print|copy
add the|add it|add that|add a|remove the|create a|create the|make a list|make a note|make sure|ensure|take care
collect|gather|compile|bring|pick up|test the|test it|run the|start on|start working|have a look|take a look
put it|put that|put the|put them|put this|try and find|try to find|try and get|try to get|ask for|apply
`)

/** Tasks without a clear end, which count with a deadline only. */
const OPEN_TASK = compilePhrases(
  "buy|deal with|handle|remind|work on|come up with|think about|look at|ask|make sure|talk to|talk about|put it|put that|put the|add the|add a|change the",
)

/** Verbs with which people plan the conversation itself, describe what they show, or speak figuratively. */
const TALK = compilePhrases(`
check this out|look at this|look at that|look at it like|look at the screen|think about it this way|ask you a|ask you about|ask you something|ask you a question
work on the assumption|put it this way|put that aside|handle it like|ask a question|talk to you about|talk about|go through the agenda|go over the agenda|ask a quick|finish up|finish this|finish with|call that|call it|call this|call them|ask the minister|ask my|ask him|ask her whether|add that the|add my|check that this is|confirm that|inform the house|deal with it now|write down here|write it here|put it in here|put it in there|put it there|put it here|look at show
`)

const FIRST_PERSON = compilePhrases(`
i will|i shall|i am going to|i can|i could|i need to|i have to|i have got to|i should|i must|i am supposed to|i promise to|let me|i plan to|i want to make sure to
`)
const TEAM = compilePhrases(`
we need to|we have to|we have got to|we must|we should|we will|we are going to|we shall|let us|somebody needs to|someone needs to|somebody should|someone should|somebody has to|someone has to|everybody should|everyone should|we will have to|we will need to|we are supposed to
`)
const ADDRESSEE = compilePhrases(`
can you|could you|would you please|would you mind|would you be able to|will you please|you will|you need to|you have to|you should|you must|you are going to|you can|please|you are supposed to|you want to|i would like you to|i want you to|i need you to|you could
`)
/** Requests: who is asked does not only have the possibility. */
const REQUEST = compilePhrases(
  "can you|could you|would you please|would you mind|would you be able to|will you please|please|i would like you to|i want you to|i need you to",
)
const WEAK_FIRST = compilePhrases("i can|i could|i should|let me|i need to|i have to|i have got to|i must")
const WEAK_TEAM = compilePhrases("we should|we will|let us|we are going to|we shall")
const WEAK_ADDRESSEE = compilePhrases("you will|you can|you could|you should|you want to|you are going to")

const THIRD_PERSON = compilePhrases("will|is going to|needs to|has to|should|must|is supposed to")

/** Words between the cue and its verb: "I will just quickly check". */
const BETWEEN = new Set(
  "just also then still maybe probably quickly definitely certainly please now first both all try to and actually really go ahead try".split(
    " ",
  ),
)
const MAX_BETWEEN = 4

/** Says without a verb that something is to be done. */
const LABELS = compilePhrases(`
action item is|action items are|action point|your task is to|your task to|my task to|your homework is|my job is to|your job is to|i volunteer to|i have got an action|take an action|i will do that|i will do it|i will take that
`)

/** What makes a statement a supposition, a question about what to do, or a report. */
const SUPPOSITION = compilePhrases(`
if i|if we|if you|if they|if he|if she|if it|if the|whether|would have|could have|should have|might have|had to|used to|wanted to|was going to|were going to|do we need|do i need|do you need|should we|should i|shall we|what should|how do we|how can we|do not need to|does not need to|do not have to|will not|not going to|no need to|need not|suppose|imagine|for example|for instance|as if|unless|instead of|the user|users|users can|you could say|can you see|can you hear|can you explain|can you imagine|could you explain|you know what|will say|would say|people saying|keep up with
`)

/** Returns what follows a cue that ends before `at`: a task, one without a clear end, or none. */
const findTask = (words: readonly string[], at: number): "clear" | "open" | null => {
  for (let i = at; i <= at + MAX_BETWEEN && i < words.length; i++) {
    if (words[i] === "not" || TALK.matchAt(words, i) > 0) return null
    if (OPEN_TASK.matchAt(words, i) > 0) return "open"
    if (TASK.matchAt(words, i) > 0) return "clear"
    if (!BETWEEN.has(words[i]!)) return null
  }
  return null
}

/** "I'll check." does not tell a reader what is to be done. */
const MIN_WORDS = 5

/** Words between two statements. */
const JOINERS = new Set(["and", "so", "then", "but", "okay", "well"])

const WEIGHTS = { strong: 0.9, promised: 0.75, weak: 0.5 } as const

type Rule = {
  readonly phrases: ReturnType<typeof compilePhrases>
  readonly weak: ReturnType<typeof compilePhrases> | null
  readonly owner: "speaker" | "addressee" | "everybody"
}

const RULES: readonly Rule[] = [
  { phrases: FIRST_PERSON, weak: WEAK_FIRST, owner: "speaker" },
  { phrases: ADDRESSEE, weak: WEAK_ADDRESSEE, owner: "addressee" },
  { phrases: TEAM, weak: WEAK_TEAM, owner: "everybody" },
]

/**
 * Returns the cue that makes a sentence an action item, or null. Takes time linear in the length of the sentence.
 * @param names the people who may be named, by their name in lower case
 */
export const findActionCue = (sentence: string, names: ReadonlyMap<string, string>): ActionCue | null => {
  const words = expandWords(sentence)
  if (words.length < MIN_WORDS || SUPPOSITION.find(words) >= 0) return null
  const isQuestion = sentence.trimEnd().endsWith("?")
  for (let at = 0; at < words.length; at++) {
    for (const { phrases, weak, owner } of RULES) {
      const length = phrases.matchAt(words, at)
      const task = length === 0 ? null : findTask(words, at + length)
      if (task === null || CONNECTORS.has(words[at - 1] ?? "")) continue
      // "Please" begins a request; elsewhere another cue is beside it.
      if (words[at] === "please" && at > 1) continue
      const isRequest = REQUEST.matchAt(words, at) > 0
      if (isQuestion && !isRequest) continue
      const named = owner === "addressee" ? findNamed(words, names, at) : null
      const isWeakCue = weak !== null && weak.matchAt(words, at) === length && !isRequest && named === null
      if (task === "clear" || named !== null)
        return { owner: named ?? owner, weight: isWeakCue ? WEIGHTS.weak : WEIGHTS.strong }
      return { owner, weight: owner === "speaker" && !isWeakCue ? WEIGHTS.promised : WEIGHTS.weak }
    }
    const name = names.get(words[at]!)
    const verb = name === undefined ? 0 : THIRD_PERSON.matchAt(words, at + 1)
    if (
      name !== undefined &&
      verb > 0 &&
      !isQuestion &&
      (at === 0 || JOINERS.has(words[at - 1]!)) &&
      findTask(words, at + 1 + verb) === "clear"
    )
      return { owner: { name }, weight: WEIGHTS.strong }
  }
  if (isQuestion || LABELS.find(words) < 0) return null
  const isOwn = words[LABELS.find(words)] === "i" || words[LABELS.find(words)] === "my"
  return { owner: isOwn ? "speaker" : "everybody", weight: isOwn ? WEIGHTS.weak : WEIGHTS.strong }
}

/** Returns the person who is addressed by name just before a request: "Ann, could you …". */
const findNamed = (
  words: readonly string[],
  names: ReadonlyMap<string, string>,
  at: number,
): { readonly name: string } | null => {
  for (const i of [at - 1, at - 2]) {
    const name = names.get(words[i] ?? "")
    if (name !== undefined) return { name }
  }
  return null
}
