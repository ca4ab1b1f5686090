import { remembered, segmentWords } from '@parley/voice-ports'
import {
  END_OF_TURN_MS,
  END_OF_TURN_NUMBER_MS,
  END_OF_TURN_QUICK_MS,
  END_OF_TURN_THINKING_MS,
  END_OF_TURN_UNFINISHED_MS,
  INTERRUPTION_WORDS,
} from '../limits.ts'

const rememberedWords = remembered(wordsIn)

/** Word lists that decide who should speak now, in the languages of the call forms and in part Thai. */

const list = (phrases: string) => new Set(phrases.split(',').map((phrase) => wordsOf(phrase).join(' ')))

const BACK_CHANNELS = list(
  `mhm, mm, mmm, mm-hmm, mhmm, hmm, hm, uh-huh, uhhuh, uh huh, aha, ah, oh, right, yes, yeah, yep, yup, ok, okay, sure, i see, got it, of course,
   alright, all right, great, good, fine, really, true, exactly, go on, understood,
   sí, si, ya, claro, vale, ajá, aja, bueno, bien, de acuerdo, entiendo, ya veo, exacto,
   oui, ouais, d'accord, je vois, c'est ça, mmh, bien sûr, voilà, hum, très bien, entendu, exactement,
   ja, genau, gut, ach so, achso, alles klar, klar, stimmt, richtig, verstehe, jawohl, aha,
   嗯, 嗯嗯, 哦, 好, 好的, 对, 是, 是的, 行, 知道了, 明白, 没错,
   sì, certo, va bene, capisco, esatto, giusto, perfetto, d'accordo, ho capito,
   sim, tá, tá bom, pois, pois é, entendi, percebo, está bem, tudo bem, certo, isso,
   ναι, μάλιστα, ωραία, εντάξει, κατάλαβα, βεβαίως, σωστά, οκέι,
   हाँ, हां, जी, जी हाँ, जी हां, अच्छा, ठीक है, ठीक, समझ गया, सही,
   نعم, أيوه, ايوه, طيب, تمام, حسنا, حسنًا, مفهوم, صحيح, أكيد,
   はい, うん, ええ, そう, そうですか, そうですね, なるほど, わかりました,
   ครับ, ค่ะ, ใช่, ใช่ครับ, ใช่ค่ะ, อืม, ได้, เข้าใจ`,
)
/** One of these alone interrupts the agent. */
const STOPPERS = list(
  `stop, wait, no, what, sorry, pardon, hello, hold on, excuse me, hang on,
   espere, espera, para, qué, perdón, perdone, oiga, un momento,
   attendez, non, quoi, pardon, arrêtez, stop, un instant,
   moment, halt, nein, was, warte, warten sie, entschuldigung, wie bitte,
   aspetti, aspetta, un attimo, un momento, scusi, cosa, pronto, fermo,
   espere, um momento, desculpe, não, o quê, alô, pare,
   περιμένετε, όχι, τι, συγγνώμη, μισό λεπτό, ένα λεπτό,
   रुकिए, रुको, नहीं, क्या, माफ़ कीजिए, एक मिनट,
   انتظر, انتظري, لا, لحظة, ماذا, عفوا, عفوًا,
   停, 不, 不是, 等等, 等一下, 什么, 喂, 待って, ちょっと待って, いいえ, 違います, もしもし, すみません, หยุด, เดี๋ยว, ไม่, อะไรนะ, ฮัลโหล`,
)
/** A turn that consists of one of these is complete. */
const SHORT_ANSWERS = list(
  `yes, yeah, yep, no, nope, sure, ok, okay, of course, correct, that's right, no thanks, no thank you, yes please, thank you, thanks, goodbye, bye, bye bye,
   hello, hi, speaking, sí, si, no, claro, vale, correcto, gracias, adiós, no gracias, diga, hola, oui, non, d'accord, bien sûr, merci, au revoir, allô, bonjour,
   ja, nein, genau, gerne, danke, tschüss, auf wiederhören, nein danke, ja bitte, hallo,
   sì, certo, va bene, grazie, no grazie, arrivederci, pronto, sim, não, obrigado, obrigada, tchau, adeus, alô, está bem,
   ναι, όχι, ευχαριστώ, αντίο, εντάξει, παρακαλώ, हाँ, हां, नहीं, जी, जी हाँ, धन्यवाद, नमस्ते, ठीक है,
   نعم, لا, شكرا, شكرًا, مع السلامة, ألو, 是, 是的, 不是, 好, 好的, 可以, 不用, 谢谢, 再见, はい, いいえ, ありがとう, もしもし`,
)
const FILLERS = list(
  `um, uh, uhm, umm, er, erm, hmm, eh, este, pues, o sea, euh, ben, ähm, äh, hm, also, let me see, let me check, a ver, voyons, moment mal`,
)
/** Last words of an unfinished sentence. */
const UNFINISHED: Record<string, Set<string>> = {
  en: list(`and, or, but, so, because, if, when, that, which, with, for, to, at, on, in, of, from, the, a, an, my, your, our, is, are, was, i'm, it's, then,
    about, maybe, like, we, i, and then, than, as, by`),
  es: list(
    `y, o, pero, porque, si, cuando, que, con, para, de, en, el, la, los, las, un, una, mi, su, nuestro, es, son, a, por, como, entonces, del, al`,
  ),
  fr: list(
    `et, ou, mais, parce que, si, quand, que, qui, avec, pour, de, à, en, le, la, les, un, une, mon, ma, votre, notre, est, sont, donc, du, des, je, dans`,
  ),
  it: list(
    `e, o, ma, perché, se, quando, che, con, per, di, da, in, il, lo, la, i, gli, le, un, una, mio, mia, suo, sua, è, sono, a, al, del, quindi, allora`,
  ),
  pt: list(
    `e, ou, mas, porque, se, quando, que, com, para, de, em, o, a, os, as, um, uma, meu, minha, seu, sua, é, são, por, do, da, no, na, então`,
  ),
  el: list(
    `και, ή, αλλά, γιατί, αν, όταν, που, με, για, από, σε, ο, η, το, οι, τα, ένα, μια, μου, σας, είναι, θα, να, στο, στη`,
  ),
  hi: list(`और, या, लेकिन, क्योंकि, अगर, जब, कि, के, का, की, में, से, को, पर, मेरा, आपका, तो`),
  ar: list(`و, أو, لكن, لأن, إذا, عندما, أن, مع, من, إلى, في, على, هذا, هذه, ثم`),
  de: list(
    `und, oder, aber, weil, wenn, dass, mit, für, zu, in, an, auf, von, der, die, das, ein, eine, mein, meine, ihr, ihre, unser, ist, sind, dann, um, ich, bei`,
  ),
}
const NUMBER_WORDS = list(
  `zero, oh, one, two, three, four, five, six, seven, eight, nine, double, triple,
   cero, uno, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, zéro, un, deux, trois, quatre, cinq, six, sept, huit, neuf,
   null, eins, zwei, zwo, drei, vier, fünf, sechs, sieben, acht, neun, plus`,
)
const FAREWELLS = list(
  `bye, goodbye, thanks, thank, you, have, a, good, nice, great, day, one, evening, too, very, much, so, cheers, see, later, take, care, ok, okay, well, and, the,
   adiós, gracias, hasta, luego, muchas, buen, día, igualmente, au, revoir, merci, bonne, journée, vous, aussi, tschüss, danke, auf, wiederhören, schönen, tag, noch, ihnen, auch`,
)
const ARTICLES = list(`a, an, the, el, la, los, las, un, una, le, les, une, der, die, das, ein, eine, einen, den, dem`)
const PHRASE_WORDS_MAX = 3
const BACK_CHANNEL_WORDS_MAX = 5
/** "Yes, of course." is more likely to go on than "Yes." */
const SHORT_ANSWER_WORDS_MAX = 2

/** The words of a text in lower case, without punctuation. */
export function wordsOf(text: string): readonly string[] {
  return rememberedWords(text)
}

function wordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replaceAll(/[^\p{L}\p{M}\p{N}'\s-]/gu, ' ')
    .split(/\s+/)
    .flatMap(segmentWords)
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
}

/** The text without its first words. */
export function cutWords(text: string, count: number): string {
  let left = count
  for (const { 0: token, index } of text.matchAll(/\S+/g)) {
    if (left <= 0) return text.slice(index)
    left -= wordsOf(token).length
  }
  return ''
}

/** Whether a word says nothing by itself: "the", "um". */
export function isLittleWord(word: string): boolean {
  return ARTICLES.has(word) || FILLERS.has(word)
}

/** Whether the words are nothing but phrases of the set, one after the other. */
function consistsOf(words: readonly string[], phrases: ReadonlySet<string>): boolean {
  let at = 0
  while (at < words.length) {
    let length = Math.min(PHRASE_WORDS_MAX, words.length - at)
    while (length > 0 && !phrases.has(words.slice(at, at + length).join(' '))) length--
    if (length === 0) return false
    at += length
  }
  return words.length > 0
}

function endsOn(words: readonly string[], phrases: ReadonlySet<string>): boolean {
  return [1, 2, 3].some((length) => words.length >= length && phrases.has(words.slice(-length).join(' ')))
}

/** "mhm", "right, yes": said while listening, not to take the turn. */
export const isBackChannel = remembered((text) => {
  const words = wordsOf(text)
  return words.length <= BACK_CHANNEL_WORDS_MAX && consistsOf(words, BACK_CHANNELS)
})

/** Whether these words, said while the agent speaks, are meant to stop it. */
export function isInterruption(text: string): boolean {
  const words = wordsOf(text)
  if (words.length === 0 || isBackChannel(text)) return false
  return words.length >= INTERRUPTION_WORDS || consistsOf(words, STOPPERS)
}

/** Whether the callee answers a goodbye with another wish. */
export function isSecondThought(text: string): boolean {
  const words = wordsOf(text)
  const more = words.filter((word) => !FAREWELLS.has(word) && !BACK_CHANNELS.has(word))
  return words.length >= 3 && more.length >= 2
}

function isReadingNumber(words: readonly string[]): boolean {
  const isNumeric = (word: string | undefined) =>
    word !== undefined && (/^[\d-]+$/.test(word) || NUMBER_WORDS.has(word))
  const trailing = words.length - 1 - words.findLastIndex((word) => !isNumeric(word))
  const digits = words
    .slice(words.length - trailing)
    .join('')
    .replaceAll(/\D/g, '')
  return trailing >= 3 || digits.length >= 5
}

/** Silence (ms) after these words that ends the callee's turn. */
export function endOfTurnMs(text: string, language: string): number {
  const words = wordsOf(text)
  if (words.length === 0) return END_OF_TURN_MS
  if (endsOn(words, FILLERS) && !consistsOf(words, SHORT_ANSWERS)) return END_OF_TURN_THINKING_MS
  const ending = text.trim().at(-1)
  if (ending === '?' || ending === '？') return END_OF_TURN_QUICK_MS
  if (words.length <= SHORT_ANSWER_WORDS_MAX && consistsOf(words, SHORT_ANSWERS) && ending !== ',')
    return END_OF_TURN_QUICK_MS
  if (isReadingNumber(words)) return END_OF_TURN_NUMBER_MS
  if (ending !== undefined && '.!。！'.includes(ending)) return END_OF_TURN_MS
  const unfinished = UNFINISHED[language.slice(0, 2)]
  if ((ending !== undefined && ',…，、'.includes(ending)) || (unfinished && endsOn(words, unfinished)))
    return END_OF_TURN_UNFINISHED_MS
  return END_OF_TURN_MS
}
