import { folded } from '@parley/offline-mind'
import { WORDS } from './words/words.ts'

/** Marks of code, of data and of tools, in what is left of a text without its markup. */
const CODE =
  /[{}]|<\/?[a-z!]|\[\[|\]\]|["']\s*:\s*["'[{\d]|=>|\b[a-z]\w*\((?:["'{\w]|\))|(?<![@\w.])[a-z]+(?:_[a-z]+)+\b(?![\w.]*@)|^\s*(?:function|const|let|var|import|return)\s+\w+\s*[=({]/im
const PROMPT =
  /\b(?:my|the|these|your) (?:system )?(?:prompt|instructions?|rules|guidelines)\b[^.?!]{0,30}(?::|\b(?:are|is|say|says|tell|read|include)\b)|\bsystem prompt\b|\bi(?:'m| am| was| have been) (?:instructed|prompted|programmed|told) to\b|\bas an ai language model\b|\b(?:mis instrucciones|mes instructions|meine (?:anweisungen|instruktionen))\b[^.?!]{0,30}(?::|\b(?:son|dicen|sont|disent|sind|lauten|sagen)\b)/
const SHINGLE_WORDS = 8

/** Text that is no speech: code, data, or what the mind itself was told, also bit by bit behind what was said before. */
export function isUnspeakable(text: string, hidden: readonly string[], before = ''): boolean {
  const plain = folded(text)
  return (
    CODE.test(text) ||
    WORDS.some(({ denied }) => PROMPT.test(plain.replace(denied, ' '))) ||
    quotes([...wordsOf(before).slice(1 - SHINGLE_WORDS), ...wordsOf(text)], hidden)
  )
}

function wordsOf(text: string): string[] {
  return folded(text).match(/[\p{L}\p{N}']+/gu) ?? []
}

function quotes(words: readonly string[], hidden: readonly string[]): boolean {
  if (words.length < SHINGLE_WORDS) return false
  const texts = hidden.map((text) => ` ${wordsOf(text).join(' ')} `)
  return words.some((_, at) => {
    const shingle = words.slice(at, at + SHINGLE_WORDS)
    return shingle.length === SHINGLE_WORDS && texts.some((text) => text.includes(` ${shingle.join(' ')} `))
  })
}

const NAMED =
  "\\b(?:i'm|i am|this is|my name is|you're speaking (?:to|with)|soy|me llamo|habla|mi nombre es|je suis|je m'appelle|mon nom est|ich bin|ich heisse|mein name ist|hier ist|hier spricht) "

/** Whether the agent says to be a person: any, or the one on whose behalf it calls. */
export function claimsPerson(text: string, onBehalfOf: string): boolean {
  const plain = folded(text)
  if (plain.endsWith('?')) return false
  const owner = folded(onBehalfOf).replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  const isOwner = owner !== '' && new RegExp(`${NAMED}${owner}(?!'s|s' |'|\\w)`).test(plain)
  return isOwner || WORDS.some(({ human }) => human.test(plain))
}

/** Whether a sentence says yes to what the callee said. */
export function nodsTo(text: string): boolean {
  const plain = folded(text)
  return (
    WORDS.some(({ nods }) => nods.test(plain)) ||
    /\b(?:that(?:'s| is) (?:right|correct|it|true)|exactly|es correcto|eso es|c'est (?:ca|exact|correct|bien cela)|das stimmt|stimmt|richtig)\b/.test(
      plain,
    )
  )
}
