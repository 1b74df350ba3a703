const DAY = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
const MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
const NUMBER = "\\d{1,4}(?:st|nd|rd|th)?|a|one|two|three|four|five|six|seven|eight|nine|ten|a couple of|a few"
const UNIT = "days?|weeks?|months?|hours?|minutes?|quarters?"
const PERIOD = "week|month|year|quarter|day|sprint|meeting"
const PART = "morning|afternoon|evening|night"

/** A time: a day, a date, the end of a period, a part of the day. */
const TIME = [
  `(?:next |this |the |on )?(?:${DAY})(?: (?:${PART}))?(?: (?:next week|the \\d{1,2}(?:st|nd|rd|th)?))?`,
  `(?:the )?(?:end|beginning|middle|start) of (?:the |this |next )?(?:${PERIOD}|${DAY}|${MONTH})`,
  `(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:${MONTH})`,
  `(?:${MONTH})(?: \\d{1,2}(?:st|nd|rd|th)?)?`,
  "the \\d{1,2}(?:st|nd|rd|th)",
  `(?:the )?(?:next|this|following) (?:${PERIOD}|${PART})`,
  `tomorrow(?: (?:${PART}))?|tonight|today|noon|midday|midnight|lunch(?:time)?|christmas|easter`,
  "\\d{1,2}(?::\\d{2})? ?(?:a\\.?m\\.?|p\\.?m\\.?|o'clock)",
].join("|")

/** "By Friday", "before the next meeting", "in two weeks"; without a preposition only times that can stand alone. */
const DUE = new RegExp(
  [
    `\\b(?:by|before|until|till|for|on|at|no later than|due(?: on| by)?) (?:${TIME})\\b`,
    `\\b(?:in|within) (?:the next )?(?:${NUMBER}) (?:${UNIT})\\b`,
    `\\b(?:tomorrow(?: (?:${PART}))?|tonight|later today|this (?:${PART}|week)|next (?:week|month|quarter|time|${DAY})|(?:at )?the end of (?:the |this |next )?(?:${PERIOD}))\\b`,
    "\\b(?:as soon as possible|asap|right away|straight away)\\b",
  ].join("|"),
  "iu",
)

/** A deadline of a sentence is looked for in this many characters. */
const MAX_CHARS = 600

/** Returns the phrase of a sentence that says until when, as it was said, or null. */
export const findDuePhrase = (sentence: string): string | null => DUE.exec(sentence.slice(0, MAX_CHARS))?.[0] ?? null
