const VAGUE = new Set(
  `able action actual allow allows allowed add added adding amount answer area arm aspect bad basic big bigger bunch call called calling case
cause change closer cool changed changes chance check clear close common complete concern continue couple current day days deal decide
decided detail direct easier easy effect end ended entire eventually example extra fair feel field figure final find finding
finish finished folks follow found free future general generally guy half hand handle happy hard head hear heard help helpful
hear hit hold hope hour huge idea ideas important include included including instance interested interesting issue issues item
kind large larger lead learn leave left level line list listen load long longer low main major man matter mention mentioned
middle mind minute minutes moment month move moved natural nature neat new note notice number numbers offer open option order original
page pass past people person pick piece pieces place places play plus point points popular possibility portion possible previous problem process
pull purpose push question questions quick quickly raise reach read ready real reason recent remember rest result results return
rule run running send sense separate set sets short side similar simple simply single site small smaller space speak special
specific spend stand start started starting state stay step stop straight stuff style suggest support supposed switch system
term terms test thinking thought total touch track true turn type types understand useful version view wait walk wanna watch
week weeks whatnot window word words work worked working works worry worth write wrong year years`
    .split(/\s+/)
    .filter(Boolean),
)

/**
 * Whether an English word, standing at the edge of a phrase, makes it say little: an adverb, a participle, or a word that
 * fits every subject.
 */
export const isVague = (word: string): boolean =>
  VAGUE.has(word) || (word.length > 4 && /(?:ly|ed)$/.test(word)) || (word.length > 6 && word.endsWith("ing"))
