import { extract } from '../hearing/extract.ts'
import { likelierThanEnglish } from '../hearing/language.ts'
import { capitalize, fill, shorten, withoutFinalStop } from '../hearing/text.ts'
import type { Spoken } from '../memory.ts'
import type { Asking, Purpose, Speaker, Topic, TopicKind } from '../topic.ts'
import { englishTopic, expectingOf } from './objective.en.ts'
import { inTone, type Frames } from './phrasebook.ts'
import { PHRASEBOOKS } from './phrasebooks.ts'

type Foreign = Exclude<Spoken, 'en'>

const WORDS_MAX = 18

/** Beginnings of orders to do or to find out something. */
const SHAPES: Readonly<Record<Foreign, { readonly action: RegExp; readonly inquiry: RegExp; readonly open: RegExp }>> =
  {
    es: {
      action: /^[a-záéíóúñ]+(?:ar|er|ir|ír)(?:me|le|lo|la|les|se)?\s/i,
      inquiry:
        /^(?:preguntar|averiguar|saber|consultar|conocer|pedir información)(?:les|le)?(?: (?:por|sobre|de))?\s+/i,
      open: /^¿?(?:qué|que|cuál|cuáles|cuándo|dónde|quién|quiénes|cómo|cuánto|cuánta|cuántos|cuántas)(?!\p{L})/iu,
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

/** An order in the callee's language is phrased; one in another language is quoted. */
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
  const sentence = fill(inTone(phrases.purpose[name], speaker.tone), {
    x: name === 'action' ? infinitive(x, language) : x,
  })
  if (topic.kind !== 'request' && topic.kind !== 'help')
    return { sentence, lead: inTone(phrases.purpose.question, speaker.tone), topic }
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

/** In an English call an order in another language is quoted: the callee may know it. */
export function foreignPurpose(text: string, speaker: Speaker): Purpose {
  const x = withoutFinalStop(shorten(text, WORDS_MAX))
  const { purpose, ask } = PHRASEBOOKS.en
  const sentence = fill(inTone(purpose.quoted, speaker.tone), { x })
  return {
    sentence,
    lead: sentence,
    topic: { ...foreignTopic(text, speaker), kind: 'help', question: inTone(ask.help, speaker.tone) },
  }
}

export function foreignTopic(text: string, speaker: Speaker): Topic {
  const x = withoutFinalStop(shorten(text, WORDS_MAX)).replace(/^¿|\?$/g, '')
  const question = fill(inTone(PHRASEBOOKS.en.ask.quoted, speaker.tone), { x })
  return {
    text,
    language: 'en',
    kind: 'request',
    question,
    subject: x,
    expecting: expectingOf(englishHint(x)),
    wants: extract(text, 'en'),
  }
}

function native(x: string, language: Foreign, speaker: Speaker): Asking {
  const { action, inquiry, open } = SHAPES[language]
  const frame = (name: keyof Frames, value: string): string =>
    fill(inTone(PHRASEBOOKS[language].ask[name], speaker.tone), { x: value })
  if (x.endsWith('?'))
    return { kind: open.test(x) ? 'information' : 'polar', question: x, subject: x.replace(/[¿?]/g, '').trim() }
  const turned = language === 'es' ? spanishQuestion(x.replace(inquiry, '')) : null
  if (turned !== null) return { ...turned, subject: lowerStart(turned.subject, language) }
  if (open.test(x)) return { kind: 'information', question: frame('tell', x), subject: x }
  if (inquiry.test(x)) {
    const thing = x.replace(inquiry, '')
    return {
      kind: /^(?:si|s'|ob)\b/i.test(thing) ? 'polar' : 'information',
      question: frame('tell', thing),
      subject: thing,
    }
  }
  if (action.test(x))
    return { kind: 'request', question: frame('doable', infinitive(x, language)), subject: lowerStart(x, language) }
  return { kind: 'request', question: frame('possible', lowerStart(x, language)), subject: lowerStart(x, language) }
}

const SPANISH_STATEMENT =
  /^(?:hay|va|van|viene|vienen|tiene|tienen|acepta|aceptan|está|están|es|son|puede|pueden|(?:el|la|los|las|su|sus|todo|un|una) (?:\S+ ){1,5}?(?:no )?(?:está|están|es|son|queda|quedan|cuesta|cuestan|incluye|incluyen|tiene|tienen|va|van|empieza|termina))\s/i

/**
 * Nouns that are told rather than granted: "horario del domingo", "el precio de la habitación". The feminine ones come
 * first.
 */
const SPANISH_FACT =
  /^(?:(?:el|la|los|las|su|sus) )?(?:(tarifas?|direcci[oó]n|fechas?|horas?|duraci[oó]n|disponibilidad|condiciones)|horarios?|precios?|costes?|costos?|tel[eé]fono|n[uú]mero|correo|nombres?|plazos?|estado|motivos?|requisitos|documentos)(?!\p{L})/iu

/** Spanish needs no inversion: the text is put between question marks. */
function spanishQuestion(x: string): Asking | null {
  const asked = (kind: TopicKind, text: string) => ({ kind, question: `¿${capitalize(text)}?`, subject: x })
  if (SHAPES.es.open.test(x)) return asked('information', x)
  const whether = /^si ([^,]+)$/i.exec(x)
  if (whether !== null) return asked('polar', whether[1] ?? '')
  if (SPANISH_STATEMENT.test(x)) return { ...asked('confirmation', x), isClaim: true }
  const fact = SPANISH_FACT.exec(x)
  return fact && { ...asked('information', `Podría decirme ${withSpanishArticle(x, fact)}`), subject: x }
}

function withSpanishArticle(x: string, [noun, feminine]: RegExpExecArray): string {
  const lowered = lowerStart(x, 'es')
  if (/^(?:el|la|los|las|su|sus) /i.test(x)) return lowered
  const isMany = noun.endsWith('s')
  return `${feminine === undefined ? (isMany ? 'los' : 'el') : isMany ? 'las' : 'la'} ${lowered}`
}

/** English words within another language are quoted after "the request is". */
function foreign(x: string, language: Foreign, speaker: Speaker): Pick<Topic, 'kind' | 'question' | 'subject'> {
  const { kind, subject } = englishTopic(x, speaker)
  const name: Partial<Record<TopicKind, keyof Frames>> = {
    information: 'tell',
    polar: 'tell',
    confirmation: 'confirm',
    message: 'let',
  }
  return {
    kind,
    question: fill(inTone(PHRASEBOOKS[language].ask[name[kind] ?? 'quoted'], speaker.tone), {
      x: kind === 'message' || x.endsWith('?') ? x.replace(/\?$/, '') : subject,
    }),
    subject,
  }
}

const SEPARABLE =
  /^(?:an|ab|auf|aus|ein|mit|nach|vor|her|hin|los|weiter|zurück|statt|teil|fest|um(?!armen))(?=[a-zäöüß]{4,}$)/i

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
        index === 0 && /^(?:Ein|Eine|Einen|Der|Die|Das|Den|Mein|Meine|Meinen|Unser)$/.test(word)
          ? word.toLowerCase()
          : word,
      ),
    withZu,
  ].join(' ')
}

function lowerStart(x: string, language: Foreign): string {
  if (language === 'de') return x
  return /^[A-ZÁÉÍÓÚÑÀÂÇÈÊ][a-zà-ÿ]+(?:\s|$)/.test(x) && !/^[A-Z]\S+ [A-Z]/.test(x)
    ? x.charAt(0).toLowerCase() + x.slice(1)
    : x
}

/** The kind of answer a native question expects, by its telling words. */
function englishHint(x: string): string {
  const hints: readonly (readonly [RegExp, string])[] = [
    [/precio|cu[aá]nto cuesta|tarifa|euros?|prix|co[uû]te?|tarif|preis|kostet|kosten|€|\$/i, 'price'],
    [/descuento|rabais|remise|rabatt|%/i, 'discount'],
    [
      /hora|horario|mesa|cita|reserva|cu[aá]ndo|heure|horaires|table|rendez|quand|uhr|tisch|termin|wann|öffnungs/i,
      'time',
    ],
    [/cu[aá]ntos|cu[aá]ntas|combien|wie ?viele/i, 'how many'],
  ]
  return `${x} ${hints.find(([pattern]) => pattern.test(x))?.[1] ?? ''}`
}
