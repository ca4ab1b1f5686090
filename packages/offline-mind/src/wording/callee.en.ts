import { isInformation } from './english-grammar.ts'

/**
 * The person whom an order tells the agent to ask, tell or invite is the callee: "Ask Ada Miller in Rome about lunch".
 */

const WORD = "[\\p{Lu}][\\p{L}\\d'’.&-]*"
const NAME = `(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof)\\.? )?(?!(?:About|For|How|If|That|The|To|What|When|Where|Whether|Which|Who|Why)\\b)${WORD}(?: (?:(?:van|von|den|der|de|da|del|la|le|di|bin|al|and|&) )*${WORD}){0,3}`
const PLACE = `(?: (?:in|from|at|of) (?:the )?${WORD}(?: ${WORD}){0,2})?`
const LINK = 'about|an?|for|how|if|know|of|on|our|regarding|that|the|to|what|when|where|whether|which|who|whom|why'
const SAID_TO =
  '[Aa]sk|[Ss]urvey|[Ii]nterview|[Pp]oll|[Ii]nvite|[Oo]ffer|[Tt]ell|[Ii]nform|[Nn]otify|[Aa]dvise|[Ww]arn|[Rr]emind|[Tt]hank|[Cc]ongratulate|[Ll]et|[Ff]ollow up with|[Cc]heck (?:in )?with|(?:[Ss]peak|[Tt]alk) (?:to|with)'
const NAMED = new RegExp(`^(${SAID_TO}) ${NAME}${PLACE}(?= (?:${LINK})\\b)`, 'u')
/** "the front desk", "reception": without a name only before words that cannot belong to it. */
const DESCRIBED =
  /^(ask) ((?:(?:the|our|my|their|your) (?:\w+ ){0,2}?)?(?!(?:again|also|around|details|directly|first|her|him|it|kindly|me|more|nicely|politely|questions?|something|the|them|us|you)\b)\w+)(?= (?:about|if|regarding|whether)\b)/i
const CALLED = new RegExp(
  `^(?:[Pp]lease )?(?:[Cc]all|[Pp]hone|[Rr]ing|[Cc]ontact)(?: up)? ${NAME}${PLACE} (?:and|to) `,
  'u',
)
const ANOTHER = /(?<= )\p{Lu}\p{Ll}/u

/** "Ask Ada Miller whether she is coming" → "Ask them whether they are coming". Everything else stays as it is. */
export function calleeUnnamed(order: string): string {
  const named = NAMED.exec(order)
  if (named !== null) return `${named[1]} them${asThey(order.slice(named[0].length))}`
  const described = DESCRIBED.exec(order)
  if (described === null || isInformation(described[2] ?? '')) return order
  return `${described[1]} them${order.slice(described[0].length)}`
}

/** "Call Ada Miller and ask how it works for her" → "ask how it works for them". */
export function afterCalling(order: string): string {
  const called = CALLED.exec(order)
  return called === null ? order : asThey(order.slice(called[0].length))
}

/** "He" and "she" are the named person until somebody else may be meant. */
function asThey(text: string): string {
  return untilAnother(text, (own) =>
    own
      .replace(/\b(?:he|she) (is|was|has|needs|wants|likes)\b/g, (_, verb: string) => `they ${MANY[verb]}`)
      .replace(/\b(?:he|she)'s\b/g, "they're")
      .replace(/\b(?:he|she)\b/g, 'they')
      .replace(/\bhis\b|\bher(?= \w)(?! (?:about|again|and|at|by|for|if|in|on|or|that|to|whether|with)\b)/g, 'their')
      .replace(/\b(?:him|her)\b/g, 'them'),
  )
}

/** Changes the words before the next name, where "he" is still the callee. */
export function untilAnother(text: string, change: (own: string) => string): string {
  const at = text.search(ANOTHER)
  return at < 0 ? change(text) : change(text.slice(0, at)) + text.slice(at)
}

const MANY: Readonly<Record<string, string>> = {
  is: 'are',
  was: 'were',
  has: 'have',
  needs: 'need',
  wants: 'want',
  likes: 'like',
}
