import { leavesOf, type CallOrder } from '@parley/contract'
import { folded, SPOKEN_LANGUAGES, withDigits } from '@parley/offline-mind'
import type { Asked } from '@parley/voice-ports'

/** Turns of a callee in which a menu may have been read. */
const MENU_TURNS = 4
const EXTENSION =
  /\b(?:ext(?:ension)?|durchwahl|nebenstelle|poste|extension|anexo|interno)\.?\s*(?:number |no\.? |nr\.? )?(\d{1,6})\b/g
const WORDED: Readonly<Record<string, string>> = {
  star: '*',
  asterisk: '*',
  pound: '#',
  hash: '#',
  stern: '*',
  raute: '#',
  estrella: '*',
  asterisco: '*',
  almohadilla: '#',
  etoile: '*',
  diese: '#',
}

/**
 * Whether these keys may be pressed: one that the menu named, in the callee's own words, the operator's after a menu, or
 * an extension that stands in the order.
 */
export function mayPress(digits: string, { cue, turns, order }: Asked): boolean {
  if (!/^[0-9*#]+$/.test(digits)) return false
  const heard = [
    ...turns
      .filter(({ speaker }) => speaker === 'user')
      .slice(-MENU_TURNS)
      .map(({ text }) => text),
    ...('text' in cue && cue.type !== 'instruction' ? [cue.text] : []),
  ]
  const isMenu = cue.type === 'menu' || cue.type === 'screening'
  if (digits === '0' && isMenu) return true
  return namedKeys(heard.join('. ')).has(digits) || extensionsOf(order).has(digits)
}

/** Single keys that stand alone in a text, in figures or in words. */
function namedKeys(text: string): Set<string> {
  const readings = SPOKEN_LANGUAGES.map((language) => withDigits(folded(text), language))
  const marked = readings.map((reading) => reading.replace(/\p{L}+/gu, (word) => WORDED[word] ?? word))
  return new Set(marked.flatMap((reading) => reading.match(/(?<![\p{L}\d])[\d*#](?![\p{L}\d])/gu) ?? []))
}

function extensionsOf({ purpose, objectives, context }: CallOrder): Set<string> {
  const texts = [purpose, ...objectives, ...leavesOf(context).map(({ path, value }) => `${path.join(' ')} ${value}`)]
  return new Set(texts.flatMap((text) => [...folded(text).matchAll(EXTENSION)].map(([, digits = '']) => digits)))
}
