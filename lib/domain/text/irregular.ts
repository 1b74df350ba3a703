import { stem } from "./stem.ts"

/** English verbs whose forms no stemmer brings together: base, past, participle where it differs. */
const VERBS = `
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent|bind bound
|bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|buy bought
|catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn|drink drank drunk
|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fling flung
|fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen
|get got gotten|give gave given|go went gone|grind ground|grow grew grown|hang hung|hear heard|hide hid hidden|hold held
|keep kept|kneel knelt|know knew known|lay laid|lead led|leave left|lend lent|lie lay lain|light lit|lose lost|make made
|mean meant|meet met|pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought
|sell sold|send sent|sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung
|sink sank sunk|sit sat|sleep slept|slide slid|speak spoke spoken|spend spent|spin spun|spring sprang sprung
|stand stood|steal stole stolen|stick stuck|sting stung|strike struck|strive strove striven|swear swore sworn
|sweep swept|swell swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told
|think thought|throw threw thrown|understand understood|wake woke woken|wear wore worn|weave wove woven|weep wept
|win won|wind wound|withdraw withdrew withdrawn|write wrote written`

const families = new Map(
  VERBS.split("|")
    .map((line) => line.trim().split(/\s+/))
    .map((forms) => [forms[0]!, forms]),
)

/**
 * The forms of an irregular verb by its base ("did lose" in a question is "lost" in a text), the base first; for any other
 * word the word alone. Not the other way round: "rose" and "ground" are seldom verbs.
 */
export const formsOf = (word: string): readonly string[] => families.get(word) ?? [word]

/** Reads stems as those of the words wherever they are of one of their forms. */
export const readAs = (words: readonly string[]): ((stem: string) => string) => {
  const as = new Map(words.flatMap((word) => formsOf(word).map((form) => [stem(form), stem(word)] as const)))
  return (found) => as.get(found) ?? found
}
