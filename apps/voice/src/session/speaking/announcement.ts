interface Wording {
  readonly connected: (callee: string) => string
  readonly recorded: string
}

const ENGLISH: Wording = {
  connected: (callee) => `Your call with ${callee} is on the line. You are being connected now.`,
  recorded: 'It is recorded.',
}

const WORDINGS: Record<string, Wording> = {
  es: {
    connected: (callee) => `Su llamada con ${callee} está en línea. Le conecto ahora.`,
    recorded: 'Se graba.',
  },
  fr: {
    connected: (callee) => `Votre appel avec le ${callee} est en ligne. Je vous mets en relation.`,
    recorded: 'Il est enregistré.',
  },
  de: {
    connected: (callee) => `Ihr Anruf mit der ${callee} ist in der Leitung. Sie werden jetzt verbunden.`,
    recorded: 'Er wird aufgezeichnet.',
  },
}

/** What the owner hears before they are put through: who is on the line, and whether they are recorded. */
export function announcement(language: string, callee: string, isRecorded: boolean): string {
  const wording = WORDINGS[language.slice(0, 2)] ?? ENGLISH
  const first = wording.connected(spelled(callee))
  return isRecorded ? `${first} ${wording.recorded}` : first
}

export function announcementLanguage(language: string): string {
  return WORDINGS[language.slice(0, 2)] ? language : 'en'
}

/** The last digits tell it apart, and are quickly said. */
function spelled(callee: string): string {
  return callee.slice(-4).split('').join(' ')
}
