type Disclosure = (onBehalfOf: string) => string

interface Wording {
  readonly disclosure: Disclosure
  readonly recorded: string
}

const ENGLISH: Wording = {
  disclosure: (onBehalfOf) => `Hello, this is an AI assistant calling on behalf of ${onBehalfOf}.`,
  recorded: 'This call is recorded.',
}

const WORDINGS: Record<string, Wording> = {
  es: {
    disclosure: (onBehalfOf) => `Hola, soy un asistente de inteligencia artificial y llamo en nombre de ${onBehalfOf}.`,
    recorded: 'Esta llamada se graba.',
  },
  fr: {
    disclosure: (onBehalfOf) =>
      `Bonjour, je suis un assistant d'intelligence artificielle et j'appelle de la part de ${onBehalfOf}.`,
    recorded: 'Cet appel est enregistré.',
  },
  de: {
    disclosure: (onBehalfOf) => `Guten Tag, hier spricht ein KI-Assistent im Auftrag von ${onBehalfOf}.`,
    recorded: 'Dieses Gespräch wird aufgezeichnet.',
  },
}

/** The first sentence of every call. It is the server's: nothing in an order can change it or leave it out. */
export function disclosure(language: string, onBehalfOf: string, record: boolean): string {
  const wording = WORDINGS[language.slice(0, 2)] ?? ENGLISH
  const first = wording.disclosure(onBehalfOf)
  return record ? `${first} ${wording.recorded}` : first
}

/** The language the disclosure is spoken in: its own wording, or English. */
export function disclosureLanguage(language: string): string {
  return WORDINGS[language.slice(0, 2)] ? language : 'en'
}
