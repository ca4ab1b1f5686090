/**
 * Reads answers to "May I record this call?". In English, Spanish, French and German a yes may stand in a sentence; in
 * the other languages of the call forms only these answers as a whole are one.
 */
const WHOLE_ANSWERS = new Set(
  `sì, si, certo, certamente, va bene, sì certo, sì va bene, nessun problema, d'accordo, sì nessun problema,
   sim, claro, pode, pode sim, sim pode, tudo bem, com certeza, está bem, sim claro, sem problema, sim sem problema,
   ναι, βεβαίως, φυσικά, εντάξει, ναι βεβαίως, ναι φυσικά, ναι εντάξει, κανένα πρόβλημα,
   हाँ, हां, जी, जी हाँ, जी हां, ठीक है, ज़रूर, हाँ ठीक है, हां ठीक है, जी बिल्कुल, कोई बात नहीं,
   可以, 好, 好的, 行, 是的, 没问题, 可以的, 当然, 当然可以, 同意, 好的没问题,
   はい, いいですよ, 大丈夫です, はい大丈夫です, はいどうぞ, どうぞ, 構いません, はい構いません, もちろん, もちろんです,
   نعم, أجل, طبعا, طبعًا, تفضل, نعم تفضل, لا مانع, لا مشكلة, موافق, نعم موافق, حسنا, حسنًا`
    .split(',')
    .map((answer) => bareOf(answer)),
)
function bareOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\p{M}\p{N}']+/gu, ' ')
    .replaceAll(/(?<=\p{sc=Han}|\p{sc=Hiragana}) (?=\p{sc=Han}|\p{sc=Hiragana})/gu, '')
    .trim()
}

const ANSWERED_WHOLE = /^(?:it|pt|el|hi|zh|ja|ar)\b/
const UNDERSTOOD = /^(?:en|es|fr|de)\b/

const word = (words: string, flags = 'iu') => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, flags)

const YES_ALL_THE_SAME = word(
  `(?:(?:no|nein|non),? +)?(?:no(?:t a)? (?:problem|objections?|worries)|(?:i )?(?:do not|don't|wouldn't) mind|kein problem|(?:ich habe )?nichts dagegen|pas de (?:problème|souci)|aucun problème|sin problemas?|no hay problema|no me importa)`,
  'giu',
)
const NO =
  /(?<![\p{L}])(?:no|nope|not|never|rather|stop|prefer|refuse|nein|nicht|kein|keine|lieber|non|pas|jamais|nunca|tampoco|não|nao|nee|niet|geen|nej|inte|ikke|nie|ne|ei)(?![\p{L}])|n't(?![\p{L}])|(?<![\p{L}])prefiero que(?![\p{L}])|όχι|いいえ|不|नहीं|(?<![\p{L}])لا(?![\p{L}])/iu
const YES =
  /\b(?:yes|yeah|yep|yup|sure|ok|okay|fine|of course|certainly|absolutely|go ahead|all right|alright|agreed?|please do|gladly|sí|si|claro|vale|adelante|por supuesto|de acuerdo|oui|d'accord|bien sûr|allez-y|volontiers|ja|gerne?|klar|natürlich|einverstanden|in ordnung|genau)(?![\p{L}'])/iu

/** Questions back; ears do not always bring the question mark. */
const ASKS_BACK = [
  /[?？¿]/,
  word("(?:who|what|why|where|how|which|when|whose)(?:'s|'re|'d|'ll)?"),
  word(
    '(?:is|are|was|do|does|did|can|could|will|would|have|has|am|should|may|must) (?:this|that|it|you|i|we|they|he|she|there|somebody|someone)',
  ),
  word(
    'qué|quién(?:es)?|quien (?:es|habla|llama)|con quien|de parte de|cómo|dónde|cuándo|cuál|por que|de que se trata|es usted',
  ),
  word("qui|quoi|pourquoi|comment|où|quel(?:le)?s?|est-ce|c'est à quel sujet|vous êtes|êtes-vous|de la part"),
  word(
    'wer|wen|wem|was|warum|wieso|weshalb|wie|woher|worum|wofür|wozu|wann|welche[rsnm]?|(?:sind|rufen|haben|möchten|wollen) sie|(?:ist|geht) (?:das|es)|(?:kann|darf|muss|soll) ich',
  ),
]
/** A condition, a doubt, time to think, or the "yes?" with which a telephone is answered. */
const DOUBTS = [
  word(
    'wait|hold on|hang on|one (?:moment|second|sec|minute)|just a (?:moment|second|sec|minute)|maybe|perhaps|probably|i (?:guess|suppose|think)|depends|if|but|unless|let me|hmm?|um+|uh+|sorry|pardon|excuse me|hello|speaking',
  ),
  word(
    'espera|espere|un momento|un segundo|quizás?|tal vez|a lo mejor|supongo|creo que|depende|pero|si (?:me|no|es|usted|quiere|hace)|perdón|perdone|oiga|dígame|diga',
  ),
  word(
    "attendez|un instant|une (?:seconde|minute)|peut-être|je (?:suppose|crois|pense)|ça dépend|mais|si (?:vous|tu|on|c'est|je)|s'il (?:le )?faut|pardon|allô|euh",
  ),
  word(
    'moment|warte|warten sie|sekunde|augenblick|vielleicht|eventuell|ich (?:glaube|denke|schätze)|kommt (?:darauf|drauf) an|aber|wenn|falls|entschuldigung|hallo|äh+m?|am apparat',
  ),
]

const isAmong = (text: string, patterns: readonly RegExp[]) => patterns.some((pattern) => pattern.test(text))

/** Whether the callee wants to know something before they answer. */
export function asksBack(words: string): boolean {
  return isAmong(words.replaceAll('’', "'"), ASKS_BACK)
}

/**
 * null: neither yes nor no. A yes with a question or a doubt in it ("okay, who is this?") is none; a no counts in any
 * language.
 */
export function consentIn(words: string, language: string): 'yes' | 'no' | null {
  const text = words.replaceAll('’', "'")
  if (!UNDERSTOOD.test(language))
    return ANSWERED_WHOLE.test(language) && WHOLE_ANSWERS.has(bareOf(text)) ? 'yes' : NO.test(text) ? 'no' : null
  const rest = text.replace(YES_ALL_THE_SAME, ' ')
  if (NO.test(rest)) return 'no'
  if (asksBack(rest) || isAmong(rest, DOUBTS)) return null
  return rest !== text || YES.test(text) ? 'yes' : null
}
const OBJECTION = [
  /(?:\b(?:not|stop|no|without|never)\b|n't\b)[^.?!]{0,30}\b(?:be(?:ing)? recorded|recording|record (?:me|us|this|the call|my))\b/i,
  /\b(?:nicht|keine)\b[^.?!]{0,30}(?:aufzeichn|aufnehm|aufgezeichnet|aufgenommen)/i,
  /\b(?:pas|arrêtez)\b[^.?!]{0,30}enregistr/i,
  /\bno\b[^.?!]{0,30}\b(?:grab(?:e|en|ar|arme|ación|ado|ada))\b/i,
]

/** Whether a callee who was told of the recording objects to it. */
export function objectsToRecording(words: string): boolean {
  const text = words.replaceAll('’', "'")
  return OBJECTION.some((pattern) => pattern.test(text))
}
