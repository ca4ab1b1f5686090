/** What a callee says to being recorded. English, Spanish, French and German; in any other language nothing is a yes. */
const UNDERSTOOD = /^(?:en|es|fr|de)\b/

const YES_ALL_THE_SAME =
  /\bno(?:t a)? (?:problem|objections?|worries)\b|\b(?:do not|don't|wouldn't) mind\b|\b(?:kein problem|nichts dagegen|pas de (?:problème|souci)|aucun problème|sin problemas?|no hay problema|no me importa)/i
const NO =
  /(?<![\p{L}])(?:no|nope|not|never|rather|stop|prefer|refuse|nein|nicht|kein|keine|lieber|non|pas|jamais|nunca|tampoco|não|nao|nee|niet|geen|nej|inte|ikke|nie|ne|ei)(?![\p{L}])|n't(?![\p{L}])|(?<![\p{L}])prefiero que(?![\p{L}])|όχι|いいえ|不|नहीं|(?<![\p{L}])لا(?![\p{L}])/iu
const YES =
  /\b(?:yes|yeah|yep|yup|sure|ok|okay|fine|of course|certainly|absolutely|go ahead|all right|alright|agreed?|please do|gladly|sí|si|claro|vale|adelante|por supuesto|de acuerdo|oui|d'accord|bien sûr|allez-y|volontiers|ja|gerne?|klar|natürlich|einverstanden|in ordnung|genau)(?![\p{L}'])/iu

/** null: neither; ask again. In doubt it is a no, also one of another language than the call's. */
export function consentIn(words: string, language: string): 'yes' | 'no' | null {
  const text = words.replaceAll('’', "'")
  if (YES_ALL_THE_SAME.test(text) && UNDERSTOOD.test(language)) return 'yes'
  if (NO.test(text)) return 'no'
  return YES.test(text) && UNDERSTOOD.test(language) ? 'yes' : null
}

const OBJECTION = [
  /(?:\b(?:not|stop|no|without|never)\b|n't\b)[^.?!]{0,30}\b(?:be(?:ing)? recorded|recording|record (?:me|us|this|the call|my))\b/i,
  /\b(?:nicht|keine)\b[^.?!]{0,30}(?:aufzeichn|aufnehm|aufgezeichnet|aufgenommen)/i,
  /\b(?:pas|arrêtez)\b[^.?!]{0,30}enregistr/i,
  /\bno\b[^.?!]{0,30}\b(?:grab(?:e|en|ar|arme|ación|ado|ada))\b/i,
]

/** Whether somebody who was only told of the recording does not want it. */
export function objectsToRecording(words: string): boolean {
  const text = words.replaceAll('’', "'")
  return OBJECTION.some((pattern) => pattern.test(text))
}
