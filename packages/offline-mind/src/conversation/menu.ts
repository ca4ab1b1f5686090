import { PHASES } from '@parley/contract'
import { fold } from '../hearing/text.ts'
import { withDigits } from '../hearing/numerals.ts'
import { enterPhase, say, type Talk } from './talk.ts'

interface Choice {
  readonly digits: string
  readonly label: string
}

/** Times that a menu is heard before the operator is tried without being offered. */
const ROUNDS_MAX = 2

const KEY = '(\\d|\\*|#|star|pound)'
const PRESS = `(?:press|dial|push|select|choose|say or press|pulse|marque|oprima|presione|appuyez sur|tapez|composez|faites|drucken sie|wahlen sie)(?: or say)?(?: the| die| le| el| la| sur le)?(?: number| key| taste| touche| tecla)?`
const FOR = '(?:for|to|if you|para|si|pour|fur|um|wenn)'

/** The choices of a spoken menu, in either word order. */
function choicesIn(text: string): Choice[] {
  const spoken = fold(withDigits(text, 'en'))
  const segments = spoken
    .split(/[.;,!?]+\s*|\s(?:and|or|y|o|et|ou|und|oder)\s(?=(?:for|press|to|para|pulse|pour|appuyez|fur|drucken))/)
    .filter((segment) => segment.trim() !== '')
  const choices: Choice[] = []
  let label = ''
  for (const segment of segments) {
    const before =
      new RegExp(`^(.*?)\\b${PRESS} ${KEY}(.*)$`).exec(segment) ??
      new RegExp(`^(.*?)()\\b${KEY} (?=${FOR} )(.*)$`).exec(segment)
    if (before === null) {
      label = segment
      continue
    }
    const groups = before.slice(1)
    const digits = groups.find((group) => /^(?:\d|\*|#|star|pound)$/.test(group)) ?? ''
    const after = (groups.at(-1) ?? '').trim()
    const words = `${groups[0] ?? ''}`.trim()
    choices.push({
      digits: digits.replace('star', '*').replace('pound', '#'),
      label: after !== '' ? after : words !== '' ? words : label,
    })
    label = ''
  }
  return choices
}

/** Synonyms of one department. */
const DESKS: readonly RegExp[] = [
  /\b(?:reserv\w*|book\w*|table|appointments?|schedul\w*|rooms?|stay|reserva\w*|mesa|cita|rendez|table|tisch\w*|termin\w*|buch\w*)\b/,
  /\b(?:bill\w*|invoice\w*|pay\w*|account\w*|refund\w*|charge\w*|factura\w*|pago\w*|rechnung\w*|factur\w*)\b/,
  /\b(?:support|technical|repair\w*|problem\w*|broken|help|fault\w*|soporte|hilfe|support|depannage)\b/,
  /\b(?:sales|buy|purchase|order\w*|quote|price\w*|rates?|ventas|verkauf|ventes|commande\w*|bestell\w*)\b/,
  /\b(?:hours|open\w*|location|directions|address|horario\w*|horaires|offnungszeiten)\b/,
  /\b(?:cancel\w*|chang\w*|amend\w*|modif\w*|reschedul\w*|existing|stornier\w*|annul\w*)\b/,
  /\b(?:deliver\w*|shipping|shipment|track\w*|package|parcel|envio|livraison|lieferung)\b/,
]
const OPERATOR =
  /\b(?:operator|representative|agent|reception|front desk|receptionist|someone|person|team member|staff|associate|assistance|customer service|all other|other (?:enquiries|inquiries|questions|requests)|anything else|operador|recepcion|agente|operatrice|conseiller|accueil|mitarbeiter|zentrale|rezeption)\b/
const NEVER =
  /\b(?:emergency|opt out|unsubscribe|remove|delete|repeat|previous menu|language|espanol|hang up|survey|notfall|urgence|emergencia)\b/

/** Presses the fitting key, else the operator's; listens once more when neither was named. */
export function chooseFromMenu(talk: Talk, text: string): void {
  const { memory } = talk
  enterPhase(talk, PHASES.menu)
  memory.menusHeard += 1
  const digits = bestChoice(choicesIn(text), [talk.order.purpose, ...talk.order.objectives].join(' '))
  if (digits !== null) talk.events.push({ type: 'press', digits })
  else if (memory.menusHeard > ROUNDS_MAX) talk.events.push({ type: 'press', digits: '0' })
  else if (/\bsay\b|\btell me\b|\bin a few words\b/.test(fold(text)) && choicesIn(text).length === 0)
    say(talk, talk.purpose.sentence)
}

function bestChoice(choices: readonly Choice[], wanted: string): string | null {
  const usable = choices.filter(({ label }) => !NEVER.test(label))
  const purpose = fold(wanted)
  const scored = usable
    .map((choice) => ({ choice, score: scoreOf(choice.label, purpose) }))
    .toSorted((a, b) => b.score - a.score)
  const best = scored[0]
  if (best !== undefined && best.score > 0) return best.choice.digits
  return usable.find(({ label }) => OPERATOR.test(label))?.digits ?? null
}

function scoreOf(label: string, purpose: string): number {
  const desks = DESKS.filter((desk) => desk.test(label) && desk.test(purpose)).length
  const words = label
    .split(/\W+/)
    .filter((word) => word.length > 3 && !/^(?:about|call\w*|your|with|from|please|number|questions?)$/.test(word))
  return desks * 2 + words.filter((word) => purpose.includes(word)).length
}
