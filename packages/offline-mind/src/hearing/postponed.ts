import type { Lexicon } from './lexicon.ts'
import { plain } from './text.ts'

/**
 * Words that answer nothing beside a request to wait, in the languages of the lexicons: "sure, let me look" agrees to
 * wait, not to what was asked.
 */
const BARE = new Set(
  [
    // English
    'yes yeah yep yup yah aye sure thing okay ok okey alright all right of course certainly absolutely definitely great',
    'lovely good fine perfect no nope nah well oh ah um uh hmm hm mm so and but then please sorry sir madam wait thanks',
    'thank you that this it for me us just now i we a the there actually gladly will do while moment second quickly',
    'my our the book calendar system computer list diary have can look check up a minute see',
    // Spanish
    'si claro que por supuesto desde luego vale de acuerdo perfecto muy bien bueno pues no ah eh y pero espere gracias',
    'favor ahora mismo todavia aun senor senora con gusto mucho encantado encantada lo la un le agenda sistema en mi el voy ver',
    // French
    "oui ouais si bien sur d'accord certainement absolument tout a fait parfait tres entendu volontiers avec plaisir non",
    'ah eh bon alors et mais merci attendez monsieur madame vous plait encore la le ne pas quittez mon agenda dans',
    // German
    'ja jawohl jo klar sicher naturlich selbstverstandlich gerne gern genau gut okay nein nee ach also na und aber bitte',
    'danke sehr noch mal kurz da das ich sie mir fur in ordnung alles kalender buch mal nach meinen',
  ].flatMap((line) => line.split(' ')),
)

/** "if seven is free", behind what is looked at. */
const TO_WHAT_END = '(?:\\s*(?:if|whether|what|when|for|in|at|si|que|ce que|ob|was|nach|im)(?= |$).*)?'

/** Whether a text only asks for time, with a nod or a shake of the head beside it at most. */
export function isPostponed(text: string, { intents: { hold }, friendlyNo }: Lexicon): boolean {
  const holds = new RegExp(`${hold.source}${TO_WHAT_END}`, 'gu')
  const friendly = new RegExp(friendlyNo, 'gu')
  return text.split(/[.!?;,]+/).every((clause) =>
    plain(clause)
      .replace(/^(?:ob|if|whether) .*/, ' ')
      .replace(holds, ' ')
      .replace(friendly, ' ')
      .split(' ')
      .every((word) => word === '' || BARE.has(word)),
  )
}
