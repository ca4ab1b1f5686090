/** Common words of each language that few other languages share. */
const SMALL_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: 'the is are and to of you that it for on with this what how yes hello please thank your have do can not we'.split(
    ' ',
  ),
  es: 'el los las es son y que de en por para con una usted hola buenos gracias sí cómo qué quién está hablo puede muy diga soy'.split(
    ' ',
  ),
  fr: 'le les est et vous je que de pour avec une oui bonjour merci nous pas ce qui suis êtes comment bien à allô du des'.split(
    ' ',
  ),
  de: 'der die das ist und sie ich nicht mit für ein eine ja guten danke bitte wir wie was auf zu hallo haben kann'.split(
    ' ',
  ),
  it: 'il gli è sono e che di per con una lei sì buongiorno grazie pronto come chi non può della mi va bene'.split(' '),
  pt: 'o os as é são e que de em por para com uma você olá obrigado obrigada sim não como quem bom está posso muito falar'.split(
    ' ',
  ),
}

const WORDS_MIN = 3
/** Lead over the second-best language required for a guess. */
const LEAD_MIN = 2

/** The language of a few words, or null when they are ambiguous. */
export function guessLanguage(text: string): string | null {
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? []
  if (words.length < WORDS_MIN) return null
  const ranked = Object.entries(SMALL_WORDS)
    .map(([language, small]) => ({ language, hits: words.filter((word) => small.includes(word)).length }))
    .toSorted((a, b) => b.hits - a.hits)
  const [best, next] = ranked
  return best && best.hits >= (next?.hits ?? 0) + LEAD_MIN ? best.language : null
}
