import { extract } from '../hearing/extract.ts'
import { shorten, withoutFinalStop } from '../hearing/text.ts'
import type { Understanding } from '../hearing/understand.ts'
import { LEXICONS } from '../hearing/lexicons.ts'
import type { Spoken } from '../memory.ts'

const CONDITION_WORDS_MAX = 14

/** Sounds like a condition and is none. */
const FRIENDLY: Readonly<Record<Spoken, RegExp>> = {
  en: /\b(?:if (?:you|that|it)(?:'d| would)?(?: really)? (?:like|want|wish|prefer|please|insist|is (?:fine|ok|okay)|suits?(?: you)?|works?(?: for you)?|helps?)|but (?:of course|sure|yes|that's (?:fine|ok|okay|no problem)|no problem|certainly|gladly)|no (?:ifs|deposit|fee|extra (?:charge|cost)|charge)[\w ]*|free of charge|without (?:a |any )?(?:deposit|fee|extra|problems?|trouble|doubt)[\w ]*|nothing extra)\b/g,
  es: /\b(?:si (?:quiere|gusta|prefiere|desea)|pero claro|sin (?:deposito|recargo|coste)[\w ]*)\b/g,
  fr: /\b(?:si vous (?:voulez|preferez|souhaitez)|mais bien sur|mais oui|sans (?:acompte|supplement|frais)[\w ]*)\b/g,
  de: /\b(?:wenn sie (?:mochten|wollen)|aber (?:gern|gerne|sicher|klar|naturlich)|ohne (?:anzahlung|aufpreis)[\w ]*)\b/g,
}

/** Words that attach a condition to a yes or an offer. */
const BINDING: Readonly<Record<Spoken, RegExp>> = {
  en: /\b(?:only (?:if|with|for|until|till|when|after|before|on condition)|as long as|provided|on (?:the )?condition|if (?:you|they|he|she|we)|once (?:you|they|he|she)|unless|subject to|(?:you|they|she|he|we|i)(?:'d|'ll| would| will| must)? (?:have|need) to|you must|must (?:be|pay|leave|arrive)|need(?:s|ed)? (?:a|your|the|to|half)|requires?|required|deposit|prepay(?:ment)?|pre-?paid|non-?refundable|in advance|up ?front|minimum (?:spend|stay|order)|cancell?ation fee|surcharge|supplement|extra|without|not (?:including|included)|on top|plus (?:tax|vat|service|a|an|\d)|additional|credit card|card (?:number|details|to hold)|service charge|booking fee|excluding|before tax|handling fee)\b/,
  es: /\b(?:solo (?:si|con|hasta|para)|siempre que|a condicion|tendria que|tiene que|hay que|deposito|senal|fianza|por adelantado|recargo|suplemento|mas (?:iva|impuestos)|si (?:paga|viene|llega))\b/,
  fr: /\b(?:seulement (?:si|avec|jusqu'a)|a condition|pourvu que|il faut|il faudrait|acompte|arrhes|d'avance|supplement|caution|si vous (?:payez|venez|arrivez)|en plus)\b/,
  de: /\b(?:nur (?:wenn|mit|bis|gegen)|sofern|vorausgesetzt|mussten sie|mussen sie|anzahlung|kaution|im voraus|unter der bedingung|aufpreis|zuschlag|zuzuglich|wenn sie (?:zahlen|kommen|bezahlen))\b/,
}

/** The condition of a yes or an offer, in the callee's words; null without one. */
export function conditionIn(heard: Understanding, language: Spoken): string | null {
  const said = heard.plain.replace(FRIENDLY[language], ' ')
  const binding = BINDING[language].exec(said)
  return binding === null ? null : quoted(heard.text, binding[0], language)
}

/** "Yes, but only outside": a restriction after the yes, on any topic. */
export function turnAfterYes(heard: Understanding, language: Spoken): string | null {
  const said = heard.plain.replace(FRIENDLY[language], ' ')
  const [turn] = LEXICONS[language].joiner.exec(said) ?? []
  const [only] = turn === undefined ? (/\b(?:only|solo|seulement|nur)\b/.exec(said) ?? []) : []
  return turn === undefined && only === undefined ? null : quoted(heard.text, turn ?? only ?? '', language)
}

function quoted(text: string, from: string, language: Spoken): string {
  const clauses = text.split(/,\s+|[.!?;]\s+/)
  const [first = ''] = from.split(' ')
  const clause = clauses.find((one) => one.toLowerCase().includes(first)) ?? text
  // A number that the callee wants called is not repeated.
  if (extract(clause, language).some(({ type }) => type === 'digits')) return 'on a condition'
  return withoutFinalStop(
    shorten(clause.replace(/^(?:yes|yeah|sure|okay|ok|sí|oui|ja)[ ,]+/i, ''), CONDITION_WORDS_MAX),
  )
}
