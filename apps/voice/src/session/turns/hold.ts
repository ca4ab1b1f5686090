import { remembered } from '@parley/voice-ports'
import { classify } from '../hearing/classify.ts'
import { asksBack } from './consent.ts'
import { wordsOf } from './phrases.ts'

const word = (words: string) => new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'u')

/** "Hold on, let me check" in English, Spanish, French and German. */
const HOLDS = [
  word(
    "hold on|hang on|hold the line|bear with me|(?:just|only|give me|wait|one) (?:a |one )?(?:moment|second|sec|minute|min)(?! ago)|wait a (?:moment|second|minute)|let me (?:just |quickly )?(?:check|look|see|ask|find|get|pull)|i(?:'ll| will) (?:just |quickly )?(?:check|(?:go and |have a )?look|go and (?:see|ask|check)|ask|be right back|put you on hold)|putting you on hold|(?:thank you|thanks) for (?:holding|waiting)|be with you (?:shortly|in a)",
  ),
  word(
    'esper[ae](?: un (?:momento|segundo|minuto))?|un (?:momento|momentito|segundo|minuto)|no cuelgue|d[ée]jeme (?:ver|mirar|comprobar|consultar|preguntar)|voy a (?:ver|mirar|comprobar|consultar|preguntar)|ahora (?:vuelvo|miro|lo miro)|le pongo en espera|lo (?:miro|compruebo|consulto)',
  ),
  word(
    '(?:un|juste un) (?:petit )?(?:instant|moment)|une (?:petite )?(?:seconde|minute)|attendez|patientez|ne quittez pas|(?:je vais|laissez-moi) (?:vérifier|regarder|voir|demander)|je (?:vérifie|regarde|reviens|me renseigne|vous mets en attente)',
  ),
  word(
    '(?:einen|kleinen) (?:kleinen )?(?:moment|augenblick)|(?:moment|augenblick) (?:bitte|mal|ich)|^(?:moment|augenblick)$|(?:eine )?(?:sekunde|minute) bitte|eine sekunde|warten sie|warte|bleiben sie (?:bitte )?(?:dran|am apparat)|ich (?:schaue?|sehe|gucke?|frage?|prüfe) (?:mal|kurz|schnell|eben|nach)|(?:bin )?gleich (?:wieder da|zurück)|lassen sie mich (?:kurz |mal )?(?:nachsehen|schauen|prüfen|sehen|fragen)|(?:mal|kurz) (?:nachsehen|schauen|nachschauen)',
  ),
]

/** Whether the callee, or an announcement, asks to wait, and not for an answer. */
export const asksToHold = remembered((text) => {
  if (text === '' || asksBack(text)) return false
  const words = wordsOf(text).join(' ')
  return HOLDS.some((phrase) => phrase.test(words)) || classify(text) === 'waiting'
})
