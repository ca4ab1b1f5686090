/** Phrases of the server, for when the mind cannot or must not speak. disclosure.ts words the disclosure. */
export type Phrase =
  | 'disclosure'
  | 'ask_record'
  /** For a callee who asked back: who is calling, and the question again. */
  | 'ask_record_again'
  | 'not_recorded'
  | 'handed_back'
  | 'one_moment'
  /** The owner's phone is rung. */
  | 'connecting'
  | 'not_reached'
  | 'say_again'
  | 'passed_on'
  | 'trouble'
  | 'silence_goodbye'
  | 'time_up'
  | 'opt_out'

/** Phrases without the owner's name; agent.ts words the others. */
export type NamelessPhrase = Exclude<Phrase, 'disclosure' | 'ask_record_again'>
type Wording = Record<NamelessPhrase, string>

const ENGLISH: Wording = {
  ask_record: 'May I record this call?',
  not_recorded: 'All right, this call is not recorded.',
  handed_back: 'This is the AI assistant again.',
  one_moment: 'One moment, please.',
  connecting: "One moment, I'll connect you.",
  not_reached: "I'm sorry, I couldn't reach them just now. Let's go on without them.",
  say_again: "I'm sorry, I didn't catch that. Could you say it again?",
  passed_on: 'I will pass that question on.',
  trouble: "I'm sorry, I'm having a technical problem and have to end this call. Goodbye.",
  silence_goodbye: "I can't hear anyone, so I'll hang up now. Goodbye.",
  time_up: "I'm sorry, my time for this call is up. Thank you, and goodbye.",
  opt_out: 'Understood, you will not be called again. Goodbye.',
}

const WORDINGS: Record<string, Wording> = {
  es: {
    ask_record: '¿Me permite grabar esta llamada?',
    not_recorded: 'De acuerdo, esta llamada no se graba.',
    handed_back: 'Le habla de nuevo el asistente de inteligencia artificial.',
    one_moment: 'Un momento, por favor.',
    connecting: 'Un momento, le pongo en contacto.',
    not_reached: 'Lo siento, ahora no he podido localizar a esa persona. Sigamos sin ella.',
    say_again: 'Perdone, no le he entendido. ¿Puede repetirlo?',
    passed_on: 'Transmitiré esa pregunta.',
    trouble: 'Lo siento, tengo un problema técnico y debo terminar la llamada. Adiós.',
    silence_goodbye: 'No oigo a nadie, así que voy a colgar. Adiós.',
    time_up: 'Lo siento, se me acaba el tiempo de esta llamada. Gracias y adiós.',
    opt_out: 'Entendido, no volveremos a llamarle. Adiós.',
  },
  fr: {
    ask_record: 'Puis-je enregistrer cet appel ?',
    not_recorded: "D'accord, cet appel n'est pas enregistré.",
    handed_back: "C'est de nouveau l'assistant d'intelligence artificielle.",
    one_moment: 'Un instant, je vous prie.',
    connecting: 'Un instant, je vous mets en relation.',
    not_reached: "Désolé, je n'ai pas pu joindre cette personne. Continuons sans elle.",
    say_again: "Pardon, je n'ai pas compris. Pouvez-vous répéter ?",
    passed_on: 'Je transmettrai cette question.',
    trouble: 'Je suis désolé, un problème technique m’oblige à terminer cet appel. Au revoir.',
    silence_goodbye: "Je n'entends personne, je vais donc raccrocher. Au revoir.",
    time_up: 'Je suis désolé, mon temps pour cet appel est écoulé. Merci et au revoir.',
    opt_out: 'Entendu, nous ne vous appellerons plus. Au revoir.',
  },
  de: {
    ask_record: 'Darf ich dieses Gespräch aufzeichnen?',
    not_recorded: 'In Ordnung, dieses Gespräch wird nicht aufgezeichnet.',
    handed_back: 'Hier spricht wieder der KI-Assistent.',
    one_moment: 'Einen Moment, bitte.',
    connecting: 'Einen Moment, ich verbinde Sie.',
    not_reached: 'Entschuldigung, ich konnte die Person gerade nicht erreichen. Machen wir ohne sie weiter.',
    say_again: 'Entschuldigung, das habe ich nicht verstanden. Können Sie es wiederholen?',
    passed_on: 'Ich gebe diese Frage weiter.',
    trouble: 'Es tut mir leid, ich habe ein technisches Problem und muss das Gespräch beenden. Auf Wiederhören.',
    silence_goodbye: 'Ich höre niemanden und lege deshalb auf. Auf Wiederhören.',
    time_up: 'Es tut mir leid, meine Zeit für dieses Gespräch ist um. Danke und auf Wiederhören.',
    opt_out: 'Verstanden, Sie werden nicht mehr angerufen. Auf Wiederhören.',
  },
}

export function wordPhrase(phrase: NamelessPhrase, language: string): string {
  return (WORDINGS[language.slice(0, 2)] ?? ENGLISH)[phrase]
}

/** The language such a phrase is spoken in: its own wording, or English. */
export function phraseLanguage(language: string): string {
  return WORDINGS[language.slice(0, 2)] ? language : 'en'
}
