import { extract } from '../hearing/extract.ts'
import { likelierThanEnglish } from '../hearing/language.ts'
import { fill, shorten, withoutFinalStop } from '../hearing/text.ts'
import type { Spoken } from '../memory.ts'
import type { Purpose, Speaker, Topic, TopicKind } from '../topic.ts'
import { englishTopic, expectingOf } from './objective.en.ts'
import { inTone, type Frames } from './phrasebook.ts'
import { PHRASEBOOKS } from './phrasebooks.ts'

type Foreign = Exclude<Spoken, 'en'>

const WORDS_MAX = 18

/** What an order begins with when it asks for something to be done, or to be found out. */
const SHAPES: Readonly<Record<Foreign, { readonly action: RegExp; readonly inquiry: RegExp; readonly open: RegExp }>> = {
  es: {
    action: /^[a-záéíóúñ]+(?:ar|er|ir|ír)(?:me|le|lo|la|les|se)?\s/i,
    inquiry: /^(?:preguntar|averiguar|saber|consultar|conocer|pedir información)(?:les|le)?(?: (?:por|sobre|de))?\s+/i,
    open: /^¿?(?:qué|que|cuál|cuándo|dónde|quién|cómo|cuánto|cuánta|cuántos|cuántas)\b/i,
  },
  fr: {
    action: /^[a-zàâçéèêëîïôûùüœ]+(?:er|ir|re|oir)\s/i,
    inquiry: /^(?:demander|savoir|connaître|se renseigner sur|s'informer sur|vérifier)\s+/i,
    open: /^(?:que|quel|quelle|quels|quelles|quand|où|qui|comment|combien|pourquoi|à quelle)\b/i,
  },
  de: {
    action: /\s[a-zäöüß]+(?:en|ern|eln)$/i,
    inquiry: /\s(?:erfragen|herausfinden|erfahren|fragen)$/i,
    open: /^(?:was|wann|wo|wer|wie|warum|welche[rsnm]?|wieviel)\b/i,
  },
}

/** In the callee's language an order is phrased as it stands; one in another language is quoted. */
export function quotedPurpose(text: string, language: Foreign, speaker: Speaker): Purpose {
  const phrases = PHRASEBOOKS[language]
  const topic = quotedTopic(text, language, speaker)
  const x = withoutFinalStop(shorten(text, WORDS_MAX))
  if (x.endsWith('?'))
    return {
      sentence: fill(inTone(phrases.purpose.quoted, speaker.tone), { x: x.slice(0, -1) }),
      lead: inTone(phrases.purpose.question, speaker.tone),
      topic,
    }
  const native = likelierThanEnglish(x, language)
  const name = native && SHAPES[language].action.test(x) ? 'action' : 'quoted'
  const sentence = fill(inTone(phrases.purpose[name], speaker.tone), { x: name === 'action' ? infinitive(x, language) : x })
  if (topic.kind !== 'request' && topic.kind !== 'help') return { sentence, lead: inTone(phrases.purpose.question, speaker.tone), topic }
  return {
    sentence,
    lead: sentence,
    topic: { ...topic, kind: name === 'action' ? 'request' : 'help', question: inTone(phrases.ask.help, speaker.tone) },
  }
}

export function quotedTopic(text: string, language: Foreign, speaker: Speaker): Topic {
  const x = withoutFinalStop(shorten(text, WORDS_MAX))
  const own = likelierThanEnglish(x, language)
  const asked = own ? native(x, language, speaker) : foreign(x, language, speaker)
  const written = own ? language : 'en'
  return { text, language: written, ...asked, expecting: expectingOf(englishHint(x)), wants: extract(text, written) }
}

function native(x: string, language: Foreign, speaker: Speaker): Pick<Topic, 'kind' | 'question' | 'subject'> {
  const { action, inquiry, open } = SHAPES[language]
  const frame = (name: keyof Frames, value: string): string => fill(inTone(PHRASEBOOKS[language].ask[name], speaker.tone), { x: value })
  if (x.endsWith('?')) return { kind: open.test(x) ? 'information' : 'polar', question: x, subject: x.replace(/[¿?]/g, '').trim() }
  if (open.test(x)) return { kind: 'information', question: frame('tell', x), subject: x }
  if (inquiry.test(x)) {
    const thing = x.replace(inquiry, '')
    return { kind: /^(?:si|s'|ob)\b/i.test(thing) ? 'polar' : 'information', question: frame('tell', thing), subject: thing }
  }
  if (action.test(x)) return { kind: 'request', question: frame('doable', infinitive(x, language)), subject: lowerStart(x, language) }
  return { kind: 'request', question: frame('possible', lowerStart(x, language)), subject: lowerStart(x, language) }
}

/** English words within another language: said as they were written, after "the request is". */
function foreign(x: string, language: Foreign, speaker: Speaker): Pick<Topic, 'kind' | 'question' | 'subject'> {
  const { kind, subject } = englishTopic(x, speaker)
  const name: Partial<Record<TopicKind, keyof Frames>> = { information: 'tell', polar: 'tell', confirmation: 'confirm', message: 'let' }
  return {
    kind,
    question: fill(inTone(PHRASEBOOKS[language].ask[name[kind] ?? 'quoted'], speaker.tone), {
      x: kind === 'message' || x.endsWith('?') ? x.replace(/\?$/, '') : subject,
    }),
    subject,
  }
}

const SEPARABLE = /^(?:an|ab|auf|aus|ein|mit|nach|vor|her|hin|los|weiter|zurück|statt|teil|fest|um(?!armen))(?=[a-zäöüß]{4,}$)/i

/** "réserver" after de, "reservieren" with zu. */
function infinitive(x: string, language: Foreign): string {
  const lowered = lowerStart(x, language)
  if (language !== 'de') return lowered
  const words = x.split(' ')
  const verb = words.at(-1) ?? ''
  const prefix = SEPARABLE.exec(verb)?.[0]
  const withZu = prefix === undefined ? `zu ${verb}` : `${prefix}zu${verb.slice(prefix.length)}`
  return [
    ...words
      .slice(0, -1)
      .map((word, index) =>
        index === 0 && /^(?:Ein|Eine|Einen|Der|Die|Das|Den|Mein|Meine|Meinen|Unser)$/.test(word) ? word.toLowerCase() : word,
      ),
    withZu,
  ].join(' ')
}

function lowerStart(x: string, language: Foreign): string {
  if (language === 'de') return x
  return /^[A-ZÁÉÍÓÚÑÀÂÇÈÊ][a-zà-ÿ]+(?:\s|$)/.test(x) && !/^[A-Z]\S+ [A-Z]/.test(x) ? x.charAt(0).toLowerCase() + x.slice(1) : x
}

/** What kind of answer a native question waits for, by the words that matter. */
function englishHint(x: string): string {
  const hints: readonly (readonly [RegExp, string])[] = [
    [/precio|cu[aá]nto cuesta|tarifa|euros?|prix|co[uû]te?|tarif|preis|kostet|kosten|€|\$/i, 'price'],
    [/descuento|rabais|remise|rabatt|%/i, 'discount'],
    [/hora|horario|mesa|cita|reserva|cu[aá]ndo|heure|horaires|table|rendez|quand|uhr|tisch|termin|wann|öffnungs/i, 'time'],
    [/cu[aá]ntos|cu[aá]ntas|combien|wie ?viele/i, 'how many'],
  ]
  return `${x} ${hints.find(([pattern]) => pattern.test(x))?.[1] ?? ''}`
}
