const VAGUE = new Set(
  `amount answer answers area areas arm aspect aspects attention beginning bit bits break bunch call calls case cases cause chance
change changes check choice choices comment comments concern concerns consideration couple day days decision deal detail details difference
differences difficulty direction discussion effect effects effort end ends ending everybody example examples experience extra eye eyes fact facts feeling
field figure figures fun friend friends gentleman goal goals ground group groups guy guys hand hands head heading help hour hours hold home house idea ideas
information instance issue issues item items job kind kinds lack level levels life line lines list lists look love lunch man matter matters meaning meeting meetings member
members men mention mind minute minutes mode moment moments month months move name names nature note notes notice number numbers objective offer opinion opinions option
options order page pages part parts past pass people period person pick piece pieces place places plan plans play point points portion
position possibility possibilities practice presentation presentations problem problems procedure process program purpose question questions range reality reason reasons
report response rest result results return role room rule rules run running school second seconds section sense sentence sentences set sets share shot side sides situation slide slides
slot space stage stand start state statement step steps stop stuff style subject suggestion suggestions support system systems talk task
tasks team term terms test tests thanks thing things thinking thought thoughts time times title topic topics total touch track trouble
try type types understanding use value values version versions view wait walk watch way ways week weeks window word words work works world
worry worth year years yesterday gonna euro euros dollar dollars pound pounds buck bucks percent morning evening night session sessions
woman women child boy girl lady top bottom middle rest approach screen control action actions access user video paper big list conversation action ladies colleague colleagues speaker speakers chair committee house noise laughter thank bye plus minus`
    .split(/\s+/)
    .filter(Boolean),
)

/** Whether an English noun fits every subject, so that it names none by itself. */
export const isVague = (word: string): boolean => VAGUE.has(word)
