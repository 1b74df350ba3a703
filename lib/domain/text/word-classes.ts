import { normalizeWord } from "./tokens.ts"

/**
 * The role of an English word in a noun phrase: a noun may end the phrase, a modifier may only precede a noun, and other
 * words (verbs, adverbs, numbers, days, interjections, forms of address) do not occur in it.
 */
export type WordClass = "noun" | "modifier" | "other"

const list = (text: string): string[] => text.split(/\s+/).filter(Boolean)

/** Verbs in their base form. Those that are also nouns are repeated in `ALSO_NOUNS`. */
const VERBS = list(`
accept accommodate achieve acquire adapt add address adjust admit advise afford agree aim allow announce annoy appear
apply appreciate approve argue arrange arrive assign assume attach attend avoid become begin behave believe belong bother
bring build bump buy calculate carry catch choose clarify collect combine communicate compare complain compute concentrate
confirm confuse connect consider consist construct contain continue contribute convert convince correspond create cut deal
decide decrease define deliver depend derive describe destroy detect determine develop differ disagree disappear discover
discuss distinguish distribute divide download draw eat eliminate emphasize enable encourage enjoy ensure enter equal
establish estimate evaluate evolve examine exist expand expect explain explore express extend extract fail figure find
finish fit fix focus follow forget fulfil fulfill gather generate go grab grow guarantee guess hang happen hate hear hide
hold hope identify ignore illustrate imagine implement imply improve include incorporate increase indicate induce infer
inform insert insist install integrate intend interact introduce invent invest investigate invite involve join keep kill
lack lead learn leave lend lie like listen live lose love maintain manage match matter mention minimize miss mix modify
move notice obtain occur offer open organize owe participate pay perform persuade pick place point pop practise prefer
prepare present preserve pretend prevent proceed produce promise pronounce propose protect prove provide publish pull push
quote raise react read realise realize receive recognise recognize recommend reduce refer reflect refuse regard regret
relate relax rely remain remember remind remove repeat replace reply represent require resolve respond restrict retain
retrieve reveal ruin run save seek select sell send separate serve set settle share shut sit solve speak specify spend
split stand start stay stick stop submit suffer suggest supply support suppose survive switch teach tend throw train
translate treat trigger trust twist understand update upload vary wait wake walk wanna warn wash watch wear wish wonder
worry write cancel jump click press drag paste scroll tap type swap skip guess reach dig flip hook lay pretend rub`)

/** Verbs that are as often nouns. The preceding word decides. */
const ALSO_NOUNS = new Set(
  list(`address aim approach cut deal draw estimate figure fit fix focus guarantee hold hope increase decrease lack lead
love match matter mix move notice offer place point practise present promise quote read regard reply run set share split
stand start stick supply support switch train treat trigger trust twist update wait walk watch wish worry download upload
equal benefit set sets points places moves shares starts matches figures supplies supports switches trains updates offers
address addresses notices leads promises replies runs walks watches worries quotes approaches focus extract press type types jump jumps click clicks scroll`),
)

const IRREGULAR =
  list(`ate began begun bought broke broken brought built caught chose chosen drawn drew driven drove eaten
fallen fell felt flew flown forgot forgotten found grew grown heard held kept laid learnt led left lent lost met paid ran
rang read rose said sang sat sent shut sold sought spent spoke spoken spelt stood stuck struck taught thrown threw told
understood woke won wore worn written wrote came done gone seen been hidden hit lets gotta dunno`)

const inflected = (base: string): string[] => {
  const root = base.endsWith("e") ? base.slice(0, -1) : base
  const y = /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}i` : null
  const double = /[^aeiou][aeiou][bdgmnprt]$/.test(base) ? base + base.at(-1) : null
  const stems = [root, ...(double ? [double] : [])]
  const third = y ? `${y}es` : /(?:s|x|ch|sh|o)$/.test(base) ? `${base}es` : `${base}s`
  return [base, third, ...stems.map((s) => `${s}ed`), ...(y ? [`${y}ed`] : [])]
}

const VERB_FORMS = new Set([...VERBS.flatMap(inflected).filter((form) => !ALSO_NOUNS.has(form)), ...IRREGULAR])
/** Returns true if an English word is a verb form and rarely a noun. */
export const isVerbForm = (word: string): boolean => VERB_FORMS.has(word)
/** Returns true if an English word is a verb unless the preceding word makes it a noun. */
export const isAmbiguousVerb = (word: string): boolean => ALSO_NOUNS.has(word)

const MODIFIERS = new Set(
  list(`able absolute abstract academic accurate active actual additional advanced afraid alternative angry annual
appropriate automatic available average aware awesome awful bad basic beautiful big bigger biggest black blue blank bold
brief bright broad brown busy careful central cheap cheaper cheapest clean clear clever close closer closest cold colour
comfortable common compatible complete complex compact conscious consistent constant convenient cool correct creative
crazy critical cross crucial cruel curious current cute daily dark dead deep deeper dependent different difficult digital
dirty direct double due dull dumb early earlier easier easiest easy effective electric electrical electronic empty entire
equal exact excellent excited existing expensive explicit external extra fair familiar famous fancy fast faster fat
fashionable favorite favourite federal fewer final fine firm fixed flat flexible formal free fresh friendly front full
fun funny further future fuzzy general generic gentle global golden grand gray great green grey handy happy hard harder
heavy helpful hidden high higher highest horrible hot huge human ideal identical illegal immediate implicit important
impossible independent individual initial inner innovative instant intelligent interested interesting internal
international intuitive keen key large larger largest last late latest lazy left legal light linear little live local
long longer longest loose loud low lower lowest lucky mad magic main major manual many massive maximum medical medium
mental mere mild minimal minimum minor missing mobile modern modular more multiple narrow nasty national native natural
neat necessary negative nervous neutral new newer newest nice normal obvious odd official old older online only open
optimal optional orange ordinary organic original outer overall particular past perfect permanent personal physical pink
plain pleasant poor popular positive possible potential practical precise present pretty previous primary prime prior
private professional proper public pure purple quick quicker quiet random rapid rare raw ready real realistic reasonable
recent red regional regular relative relevant reliable remote responsible rich ridiculous right rough round rubbish rude
sad safe same secondary secret secure senior separate serious severe shallow sharp short shorter sick significant silent
silly similar simple simpler simplest single slight slim slow slower small smaller smallest smart smooth social soft
solid sore sorry special specific spongy square stable standard static steady straight strange strict strong stronger
stupid subtle successful sudden suitable super sure surprised sweet tall technical temporary terrible thick thin tight
tiny total tough traditional trendy tricky true typical ugly ultimate unable unclear unique universal unknown unlikely
unusual upper urban urgent useful useless usual vague valid valuable various vast vertical virtual visible visual warm
weak weird wet white whole wide wild willing wise wonderful wooden worse worst worth worthwhile wrong yellow young younger
youngest intermediate separate immediate private accurate adequate desperate delicate ultimate middle top bottom`),
)
/** Adjectives that are also common nouns. */
const NOUNS_TOO = new Set(
  list(`abstract alternative average black blue brown colour cross future gold green grey human individual key light
magic manual medium minimum maximum mobile native orange official online original past pink potential present private
professional public purple red remote round secret square standard total white yellow`),
)
/** Particles of names in other languages ("CISSS de l'Outaouais"), which cannot end a phrase. */
const NAME_PARTICLES = new Set(list(`de du des le les et der das und el los las del della di dos da van von y ter den`))
/** Nouns with the endings of adjectives or adverbs (-ly, -able, -ous …). */
const SUFFIX_NOUNS = new Set(
  list(`family families assembly supply reply anomaly ally italy july fly monopoly cable table variable vegetable bible
timetable syllable constable crucible bus status campus virus bonus focus apparatus consensus nucleus census
radius stimulus corpus chorus handful principal proposal approval arrival removal renewal rehearsal trial material
terminal signal journal hospital capital animal festival interval metal medal mineral manual goal deal meal festival
criminal rival professional individual initial tutorial editorial memorial potential numerical music topic traffic fabric
plastic public logic clinic graphic metric statistic critic mechanic classic comic arctic magic panic pandemic epidemic
republic arithmetic characteristic topic graphics logistics mathematics physics statistics ethics politics economics
relative native motive initiative perspective objective alternative representative incentive archive drive executive
detective adjective narrative directive breakfast forest interest request harvest contest`),
)
const NUMBERS = new Set(
  list(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million
millions billion billions trillion dozen first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
thirteenth fourteenth fifteenth twentieth half quarter percent percentage cent cents twenties thirties forties fifties
sixties seventies eighties nineties ones twos threes fours fives sixes sevens eights nines tens`),
)
const CALENDAR = new Set(
  list(`monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
sundays january february march april june july august september october november december jan feb mar apr jun jul aug sep
sept oct nov dec today tonight tomorrow yesterday weekend morning mornings afternoon evening night midnight noon spring
summer autumn winter christmas easter semester monthly weekly yearly o'clock pm`),
)
const SPOKEN = new Set(
  list(`nah yo yay hello hi hey huh okay ok alright cool wow blah oops whoa ooh hooray gosh jeez jesus god bye haha ha hah
heh gee damn dang shit fuck fucking hell mm-hmm uh-huh mm hm yup nope sorry cheers congratulations excuse pardon
goodbye anyways ish et cetera vocalsound mr mrs ms dr prof sir madam hon honourable honorable la na da ho ah duh hmph
eh whatnot okey-dokey mah ach voila please kinda sorta welcome thankyou ta amen bravo ditto`),
)
const ADVERBS = new Set(
  list(`abroad afterward afterwards ahead alike altogether apart apparently besides downstairs elsewhere forever forth
forward forwards hence inside instead likewise nearby nonetheless nowadays outside overnight perhaps seldom somehow
straightaway therefore together underneath upstairs versus vs whenever worldwide far maybe alone aloud backward backwards
downward upward online offline halfway according regardless okay plus minus times per via worth ago due`),
)

const STRONG_NOUN =
  /(?:tion|sion|ment|ness|ity|ship|hood|ism|ist|age|ance|ence|ency|ancy|logy|graphy|ture|dom|ware|tions|sions|ments|ities|ists|ages|ances|ences|tures|ers|ors)$/
const ADJECTIVE = /(?:ous|ful|able|ible|less|ical|ish|ive|ic|ary|est|like|wise|some)$/
const AL = /(?:[nrtc]|tu|su|xu|i)al$/

/** Returns true if the ending of a word marks it as a noun regardless of context. */
export const hasNounEnding = (word: string): boolean => word.length > 5 && STRONG_NOUN.test(word)

/** Returns true for the comparative or superlative of a listed adjective: "louder". */
const isCompared = (word: string): boolean => {
  const base = word.replace(/(?:er|est)$/, "")
  return base !== word && (MODIFIERS.has(base) || MODIFIERS.has(`${base}e`))
}

/** Classifies a normalized English word without context, first by closed lists, then by its ending. */
export const classifyWord = (word: string): WordClass => {
  if (NUMBERS.has(word) || CALENDAR.has(word) || SPOKEN.has(word) || ADVERBS.has(word)) return "other"
  if (NAME_PARTICLES.has(word)) return "modifier"
  if (/^\d/.test(word) || /^(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-/.test(word)) return "other"
  // A truncated word: "th", "st", "wh".
  if (word.length <= 3 && !/[aeiouy]/.test(word)) return "modifier"
  if (NOUNS_TOO.has(word) || SUFFIX_NOUNS.has(word)) return "noun"
  if (MODIFIERS.has(word) || isCompared(word)) return "modifier"
  if (VERB_FORMS.has(word)) return "other"
  if (word.length > 4 && word.endsWith("ly")) return "other"
  if (hasNounEnding(word)) return "noun"
  if (word.length > 4 && /(?:[^e]ed|ing|n't)$/.test(word)) return "modifier"
  if (word.length > 5 && (ADJECTIVE.test(word) || AL.test(word))) return "modifier"
  return "noun"
}

const DETERMINERS = new Set(
  list(`a an the this that these those my your his her its our their some any no each every another both all which what
whose of in on at by for with from about into through over under between without within than per`),
)
const BEFORE_VERBS = new Set(
  list(`to i we you they he she it who can could will would should must might may shall do does did don't doesn't didn't
can't couldn't won't wouldn't shouldn't n't ll d gonna wanna gotta let's lets not never always also we'll you'll i'll
they'll it'll i'd you'd we'd they'd he'd she'd cannot please`),
)
const OBJECTS = new Set(
  list("the a an this that these those my your his her its our their it them me him us some any all each every"),
)

/** Returns true if the word that follows `before` is a noun. */
export const precedesNoun = (before: string): boolean => DETERMINERS.has(before)
/** Returns true if the word that follows `before` is a verb. */
export const precedesVerb = (before: string): boolean => BEFORE_VERBS.has(before)
/** Returns true if a word starts the object of the verb before it. */
export const startsObject = (after: string): boolean => OBJECTS.has(after)

/** Returns true if an English noun is as often an adjective, as "remote" and "red" are. */
export const isAlsoAdjective = (word: string): boolean => NOUNS_TOO.has(word)

/** Returns true for forms of address before a name, such as "Mr.". */
export const isHonorific = (word: string): boolean =>
  /^(?:mr|mrs|ms|dr|prof|sir|madam|lord|lady|minister|senator)\.?$/.test(normalizeWord(word))
