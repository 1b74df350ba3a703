import { isFiller } from "./fillers.ts"
import { isWordLike } from "./tokens.ts"

const list = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean))

/** English function words and common verbs and adverbs of conversation, also contractions without their apostrophe. */
export const STOP_WORDS = list(`
a able about above across actually after again against ago ah aha ahead ain all almost along already also although
always am among an and another any anybody anyhow anymore anyone anything anyway anyways anywhere apart are aren around
as aside ask asked asking at away back basically be became because become becomes been before behind being below beside
besides best better between beyond bit both bring but by bye came can cannot cant certain certainly come comes coming
could couldn couldnt course cuz d definitely did didn didnt different do does doesn doesnt doing don done dont down during
each eight either eleven else enough er especially essentially etc even ever every everybody everyone everything
everywhere exactly except fact far few fifth fine first five for former forth four from front full fully further gave
get gets getting give given gives giving go goes going gone gonna good got gotta gotten great guess guys had hadn hadnt
happen happened happening happens has hasn hasnt have haven havent having he hello hence her here hers herself hey hi
him himself his hmm hopefully how however huh hundred i id if ii ill im in indeed instead into is isn isnt it itd its
itll itself ive just kay keep keeps kept kind kinda knew know knows known last lately later latter least less lest let lets
like liked likely little ll look looked looking looks lot lots m ma made mainly make makes making many may maybe me mean
means meanwhile mhm mhmm might mightn mine mm more moreover most mostly much must mustn my myself n namely near nearly
need needs neither never nevertheless next nice nine no nobody none nor not nothing now nowhere nt o obviously of off
often oh ok okay on once one ones only onto or other others otherwise ought our ours ourselves out over overall own
part particular particularly per perhaps please pretty probably put puts putting quite rather re really regarding right
s said same saw say saying says second see seeing seem seemed seems seen seven several shall shan she should shouldn
shouldnt show shown shows simply since six so some somebody somehow someone something sometime sometimes somewhat
somewhere soon sort sorta still stuff such sure t take taken takes taking talk talked talking tell tells ten than thank
thanks that thats the their theirs them themselves then thence there thereby therefore theres these they theyre theyve
thing things think thinking thinks third this those though thought thousand three through throughout thru thus time
times to today together told tomorrow too took toward towards tried tries true try trying turns twelve twenty twice two
uh uhhuh um umm under unless unlike until unto up upon us use used uses using usually various ve very via want wanted
wants was wasn wasnt way ways we week welcome well went were weren werent weve what whatever whats when whenever where
whereas wherever whether which whichever while who whoever whole whom whose why will with within without won wonder wont
would wouldn wouldnt wow y ya yeah yep yes yesterday yet you youd youll young your youre yours yourself yourselves youve
yup zero
`)

const FOREIGN: readonly ReadonlySet<string>[] = [
  list(`der die das und ist nicht ein eine einen einem einer zu den dem des mit auf für von im in es sich auch als an wie wir
ich du er sie ihr so dass daß aber wenn dann noch nur schon man war sind haben hat wird werden kann bei aus nach über um
oder was mal ja nein also hier da doch mehr sehr uns mich mir dir ihm ihn diese dieser dieses alle alles immer jetzt eben
halt gut machen gibt sein muss müssen können durch vor zum zur unter weil denn`),
  list(`le la les un une des de du et est pas que qui dans en à au aux pour par sur avec ce cette ces il elle on nous vous ils
elles je tu ne se sa son ses leur leurs plus mais ou où donc comme si tout tous toute être avoir fait faire c'est j'ai
qu'il d'un d'une l'on y a été sont était alors aussi très bien là ça oui non même quand peu voilà puis`),
  list(`el la los las un una unos unas de del y es no que en a al por para con se su sus lo le les me te nos como más pero
o si ya muy también este esta esto estos estas ese esa eso hay ser estar ha han he era son está están fue todo todos cuando
porque entonces bueno pues sí donde hasta desde sobre entre sin vamos así`),
  list(`il lo la i gli le un uno una di del della dei delle e è non che in a al alla per con su si suo sua come più ma o se
già molto anche questo questa questi queste quello quella ci sono era essere avere ha hanno ho tutto tutti quando perché
allora dove da nel nella poi cosa così quindi bene sì`),
  list(`o a os as um uma de do da dos das e é não que em no na nos nas por para com se seu sua como mais mas ou já muito
também este esta isto esse essa isso há ser estar foi são está tem ter todo todos quando porque então onde até sobre ao à
pelo pela você eu ele ela nós bem aqui assim`),
  list(`de het een en is niet dat die in op te van voor met zijn er aan als ook maar om dan bij nog wel wat we ik je hij ze
u naar door over uit dit deze hebben heeft wordt worden kan al zo hier daar meer heel ja nee dus even gewoon`),
]

/** Contractions of pronouns and auxiliaries: "we'll", "they're", "hasn't". */
const CONTRACTION = /(?:^\p{L}+'(?:ll|re|ve|m|d)|n't)$/u

/** Japanese particles and endings, which word segmentation returns as words. */
const KANA_PARTICLE = /^\p{Script=Hiragana}{1,2}$/u

/**
 * Returns the stop word list of the language, among seven, that covers most of the words. Returns an empty set if none
 * covers a tenth of them.
 */
export const detectStopWords = (words: Iterable<string>): ReadonlySet<string> => {
  const lists = [STOP_WORDS, ...FOREIGN]
  const hits = lists.map(() => 0)
  let total = 0
  for (const word of words) {
    total++
    lists.forEach((set, i) => {
      if (set.has(word)) hits[i]!++
    })
  }
  // The English list is several times as long as the others, so its hits count less.
  hits[0] = hits[0]! * 0.7
  const best = hits.indexOf(Math.max(...hits))
  return total > 0 && hits[best]! / total >= 0.1 ? lists[best]! : new Set()
}

/** Returns true if a normalized word is an English function word. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word)

/**
 * Returns true if a normalized word can name a subject, that is, if it is not a stop word of `stop`, a filler, a contraction,
 * a number or a single letter.
 */
export const isContentWord = (word: string, stop: ReadonlySet<string>): boolean =>
  isWordLike(word) && !stop.has(word) && !isFiller(word) && !CONTRACTION.test(word) && !KANA_PARTICLE.test(word)
