import porter2 from "wink-porter2-stemmer"

const MAX_CACHED_STEMS = 50_000
const cache = new Map<string, string>()

/** Longer words are no English, and the stemmer takes quadratic time for them. */
const MAX_STEMMED_CHARS = 64

/** Returns the Porter2 stem (Porter 2001) of a lower-case word in basic Latin letters. Returns other words unchanged. */
export const stem = (word: string): string => {
  const known = cache.get(word)
  if (known !== undefined) return known
  const stemmed = word.length <= MAX_STEMMED_CHARS && /^[a-z]+$/.test(word) ? porter2(word) : word
  if (cache.size >= MAX_CACHED_STEMS) cache.clear()
  cache.set(word, stemmed)
  return stemmed
}

/** English irregular verbs, whose forms have different stems: base, past, and the participle where it differs. */
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

const formsByBase = new Map(
  VERBS.split("|")
    .map((line) => line.trim().split(/\s+/))
    .map((forms) => [forms[0]!, forms]),
)

/**
 * Returns the forms of an irregular verb, given in its base form, base first. Returns only the word itself if it is no
 * such base. There is no lookup by the other forms because "rose" and "ground" are rarely verbs.
 */
export const listVerbForms = (word: string): readonly string[] => formsByBase.get(word) ?? [word]

/**
 * Returns a function that maps the stem of any form of `words` to the stem of the word itself, so that the question
 * "What did she lose?" matches "lost" in a text. It returns other stems unchanged.
 */
export const createStemMapper = (words: readonly string[]): ((stem: string) => string) => {
  const baseStems = new Map(
    words.flatMap((word) => listVerbForms(word).map((form) => [stem(form), stem(word)] as const)),
  )
  return (found) => baseStems.get(found) ?? found
}
