import { type CallOrder, vaultMask, vaultPlaceholder, wordsOfName } from '@parley/contract'
import type { Asked, Cue, HeardTurn } from '@parley/voice-ports'
import { Secrets } from './secrets.ts'
import { folded } from './folded.ts'

type Vault = NonNullable<CallOrder['vault']>
type Entry = Vault[number]

/** A kind of value: how it is named, and how a callee asks for it. */
const KINDS: readonly (readonly [name: RegExp, asked: RegExp])[] = [
  [
    /\b(?:booking|reservation|confirmation|order|reference|case|ticket|record|reserva|localizador|pedido|referencia|commande|dossier|buchung\w*|bestell\w*|vorgang\w*|auftrag\w*)\b/,
    /\b(?:(?:booking|reservation|confirmation|order|reference|case|ticket|record) (?:number|no|code|id|reference)|reference|record locator|numero de (?:reserva|pedido|referencia)|localizador|codigo de reserva|numero de (?:reservation|commande|dossier)|reference|buchungs(?:nummer|code)|bestellnummer|vorgangsnummer|auftragsnummer|reservierungsnummer)\b/,
  ],
  [
    /\b(?:birth\w*|dob|born|nacimiento|naissance|geburt\w*)\b/,
    /\b(?:date of birth|birth ?date|birthday|born|fecha de nacimiento|cuando nacio|date de naissance|nee? le|geburtsdatum|geboren|geburtstag)\b/,
  ],
  [
    /\b(?:member\w*|socio|abonado|adherent|abonne|mitglied\w*)\b/,
    /\b(?:member(?:ship)?(?: (?:number|id|no))?|numero de socio|numero d'adherent|numero d'abonne|mitglieds?nummer)\b/,
  ],
  [
    /\b(?:last (?:four|4)|ultim[oa]s (?:cuatro|4)|quatre derniers|letzten vier)\b/,
    /\b(?:last (?:four|4)|ultim[oa]s (?:cuatro|4)|(?:quatre|4) derniers|letzten? (?:vier|4))\b/,
  ],
  [
    /\b(?:customer|client|account|policy|insurance|patient|cliente|poliza|paciente|police|assurance|kunden\w*|versicherung\w*|patient\w*|konto\w*)\b/,
    /\b(?:(?:customer|client|account|policy|insurance|patient) (?:number|no|id)|numero de (?:cliente|poliza|paciente|cuenta)|numero de (?:client|police|patient|compte)|kundennummer|versicherungsnummer|patientennummer|kontonummer)\b/,
  ],
]
const ASKING =
  /\?|\b(?:what|which|give|tell|need|have|may i|could|can|please|provide|confirm|read|spell|enter|type|key in|say|que|cual|me da|deme|digame|necesito|puede|podria|marque|introduzca|quel|quelle|donnez|dites|il me faut|pouvez|pourriez|saisissez|tapez|composez|welche|wie|nennen|sagen|brauche|benotige|geben|konnen|konnten|bitte|lautet)\b/
const AGAIN =
  /\b(?:again|repeat|once more|say that|sorry|pardon|slowly|otra vez|repita|repetir|perdone|encore|repeter|repetez|pardon|noch (?:ein)?mal|wiederholen|langsam)\b/
const KEYED =
  /\b(?:enter|key in|type in|dial|using your keypad|marque|introduzca|digite|saisissez|tapez|composez|geben sie|tippen)\b/
const NUMBERED = /\b(?:numbers?|digits|codes?|id|numero|codigo|cifras|digitos|chiffres|nummer|zahlen|ziffern)\b/
const TOLD_WORDS = /\[\[private (\d+)\]\]/g
const SMALL = /^(?:the|your|his|her|number|numero|nummer|no|de|del|la|el|du|des|der|die|das|of|id|code)$/

/** The callee's words that ask for something are their last, and the menu's. */
function lastWords(cue: Cue, turns: readonly HeardTurn[]): string {
  const last = turns.findLast(({ speaker }) => speaker === 'user')?.text ?? ''
  return 'text' in cue && cue.type !== 'instruction' ? `${last} ${cue.text}` : last
}

/** A text with the values that it stands for: as it is spoken, and as it is shown. */
export interface Filled {
  readonly spoken: string
  readonly shown: string
  /** The names of the values in it. */
  readonly names: readonly string[]
  /** The place in the shown text of one in the spoken text; within a value it is the end of its mask. */
  shownChar(spokenChar: number): number
}

/** The private values of one call: what stands for them, and when each may be told. */
export class VaultKeeper {
  readonly #vault: Vault
  readonly #secrets: Secrets

  constructor(vault: Vault) {
    this.#vault = vault
    this.#secrets = new Secrets(vault.map(({ value }) => value))
  }

  /** The order as a mind may see it: no value of the vault stands in it anywhere. */
  hidden(order: CallOrder): CallOrder {
    if (this.#vault.length === 0) return order
    const clean = (text: string) => this.#secrets.masked(text, vaultPlaceholder)
    return {
      ...order,
      purpose: clean(order.purpose),
      objectives: order.objectives.map(clean),
      context: cleaned(order.context, clean),
      vault: this.#vault.map((entry, index) => ({ ...entry, value: vaultPlaceholder(index) })),
    }
  }

  /** A text of the call as it may be shown: with masks. */
  masked(text: string): string {
    if (this.#vault.length === 0) return text
    const shown = this.#secrets.masked(text, (index) => vaultMask(this.#vault[index]?.name ?? ''))
    return shown.replace(TOLD_WORDS, (whole, place: string) => {
      const entry = this.#vault[Number(place) - 1]
      return entry ? vaultMask(entry.name) : whole
    })
  }

  /** The vault's places that a text names; null where it names one that does not exist. */
  placesIn(text: string): number[] | null {
    const places = [...text.matchAll(TOLD_WORDS)].map(([, place]) => Number(place) - 1)
    return places.every((place) => this.#vault[place] !== undefined) ? places : null
  }

  filled(text: string): Filled {
    const parts = text.split(TOLD_WORDS).map((part, at) => {
      const entry = at % 2 === 1 ? this.#vault[Number(part) - 1] : undefined
      return entry
        ? { spoken: entry.value, shown: vaultMask(entry.name), name: entry.name }
        : { spoken: at % 2 === 1 ? '' : part, shown: at % 2 === 1 ? '' : part, name: null }
    })
    return {
      spoken: parts.map(({ spoken }) => spoken).join(''),
      shown: parts.map(({ shown }) => shown).join(''),
      names: parts.flatMap(({ name }) => name ?? []),
      shownChar: (spokenChar) => shownCharOf(parts, spokenChar),
    }
  }

  /** The names whose masks stand in a text. */
  namesIn(text: string): string[] {
    return this.#vault.filter(({ name }) => text.includes(vaultMask(name))).map(({ name }) => name)
  }

  mayTell(place: number, by: 'voice' | 'keys', { cue, turns }: Pick<Asked, 'cue' | 'turns'>): boolean {
    const entry = this.#vault[place]
    if (!entry) return false
    const words = folded(lastWords(cue, turns))
    switch (entry.condition.when) {
      case 'asked':
        return isAskedFor(entry, words) || isAskedAgain(entry, words, turns)
      case 'menu':
        return (
          by === 'keys' &&
          cue.type === 'menu' &&
          (isAskedFor(entry, words) || (KEYED.test(words) && NUMBERED.test(words)))
        )
      case 'said':
        return wasSaid(entry.condition.words, turns)
    }
  }
}

interface Part {
  readonly spoken: string
  readonly shown: string
  readonly name: string | null
}

function shownCharOf(parts: readonly Part[], spokenChar: number): number {
  let [spokenFrom, shownFrom] = [0, 0]
  for (const { spoken, shown, name } of parts) {
    const within = spokenChar - spokenFrom
    if (within <= spoken.length) return shownFrom + (name === null ? within : within > 0 ? shown.length : 0)
    spokenFrom += spoken.length
    shownFrom += shown.length
  }
  return shownFrom
}

export const withoutPlaceholders = (text: string): string => text.replace(TOLD_WORDS, ' ')

function isAskedFor({ name }: Entry, words: string): boolean {
  if (!ASKING.test(words)) return false
  const named = wordsOfName(name)
  if (KINDS.some(([kind, asked]) => kind.test(named) && asked.test(words))) return true
  const own = named.split(' ').filter((word) => word !== '' && !SMALL.test(word))
  const heard = new Set(words.match(/[\p{L}\p{N}]+/gu) ?? [])
  return own.length > 0 && own.every((word) => heard.has(word))
}

/** It was told before, and the callee did not get it. */
function isAskedAgain({ name }: Entry, words: string, turns: readonly HeardTurn[]): boolean {
  const last = turns.findLast(({ speaker }) => speaker === 'agent')
  return last?.text.includes(vaultMask(name)) === true && AGAIN.test(words)
}

function wasSaid(words: string, turns: readonly HeardTurn[]): boolean {
  const read = (text: string) => ` ${(folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `
  return turns.some(({ speaker, text }) => speaker === 'user' && read(text).includes(read(words)))
}

function cleaned(context: CallOrder['context'], clean: (text: string) => string): CallOrder['context'] {
  const inner = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (typeof value === 'number') return clean(String(value)) === String(value) ? value : clean(String(value))
    if (Array.isArray(value)) return value.map(inner)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, each]: [string, unknown]) => [name, inner(each)]))
    return value
  }
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, inner(value)]))
}
