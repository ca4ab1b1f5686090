import { isMet } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { personas } from '@parley/sandbox'
import { play, type Answering } from '@parley/offline-mind/samples'

/** An objective and the offer made instead; {x} in a restriction stands for the offer. */
interface Thing {
  readonly objective: string
  readonly offered: string
  readonly sentence: string
}

/** Wordings for an offer. */
type Words = readonly string[]

interface Tongue {
  readonly purpose: string
  readonly things: readonly Thing[]
  readonly refusal: string
  readonly yes: string
  /** Wide permissions, and restrictions that withdraw them. */
  readonly leaves: Words
  readonly restrictions: Words
}

const ENGLISH: Tongue = {
  purpose: 'Settle it for tomorrow',
  refusal: 'No, I am sorry, that is not possible.',
  yes: 'Yes, that is right.',
  things: [
    { objective: 'A table at 7 pm', offered: '8:30 pm', sentence: 'Half past eight would be possible.' },
    { objective: 'Move the booking to 7 pm', offered: '8:30', sentence: 'I could offer you half past eight.' },
    { objective: 'An appointment on Friday', offered: 'Saturday', sentence: 'We could do Saturday.' },
    {
      objective: 'A price of 120 dollars',
      offered: '130 dollars',
      sentence: 'I can do it for one hundred and thirty dollars.',
    },
    { objective: 'A discount of 10 percent', offered: '5 percent', sentence: 'Five percent would be possible.' },
  ],
  leaves: ['', 'I am flexible', 'any time or day or price is fine', 'or {x}'],
  restrictions: [
    'never {x}',
    'but not {x}',
    'not {x}',
    'no {x} please',
    'unless it is {x}',
    'unless they say {x}',
    'except {x}',
    'with the exception of {x}',
    'anything other than {x}',
    'anything but {x}',
    'anything besides {x}',
    'anything apart from {x}',
    'everything except {x}',
    'any other than {x} would do',
    'anything but {x} would do',
    '{x} would be too much for me',
    '{x} would be too late',
    '{x} is out of the question',
    '{x} does not suit me',
    "{x} won't do",
    '{x} is no good',
    '{x} is too early for us',
    '{x} is my limit, and not to be reached',
    '{x} only if the terrace is free',
    '{x} if my wife agrees',
    'if my wife agrees, {x} is fine',
    'if it rains, {x} is fine',
    '{x} provided that it is outside',
    'up to {x} if the contract is monthly',
    'I must be home by {x}',
    'I am in meetings until {x}',
    'the show starts at {x}',
    'which starts at {x}',
    'our train leaves at {x}',
    'I have something else at {x}',
    'I will not take {x}',
    "I won't accept {x}",
    'I refuse {x}',
    'please avoid {x}',
    'do not accept {x}',
    'do not agree to {x} whatever they say',
    'reject {x}',
    'rather not {x}',
    'without {x}',
    'instead of {x}',
    'hardly {x}',
    'ask me before you take {x}',
    '{x} only after you have asked me',
    '{x} would be the last resort, so ask me',
    'even if others would take {x}',
    'they will try to offer {x}',
    'last time {x} was a disaster',
  ],
}

const SPANISH: Tongue = {
  purpose: 'Reservar para mañana',
  refusal: 'No, lo siento.',
  yes: 'Sí, es correcto.',
  things: [{ objective: 'Una mesa a las 19:00', offered: 'las 20:30', sentence: 'Podría ser a las ocho y media.' }],
  leaves: ['', 'soy flexible', 'o a {x}'],
  restrictions: [
    'nunca a {x}',
    'pero no a {x}',
    'salvo a {x}',
    'excepto a {x}',
    'a {x} sería demasiado tarde',
    'tengo que estar en casa a {x}',
    'a {x} solo si hay terraza',
    'si mi mujer quiere, a {x} está bien',
    'estoy reunido hasta {x}',
    'no acepte a {x}',
    'rechace {x}',
    'menos a {x}',
  ],
}

const FRENCH: Tongue = {
  purpose: 'Réserver pour demain',
  refusal: 'Non, désolé.',
  yes: "Oui, c'est ça.",
  things: [{ objective: 'Une table à 19 h', offered: '20 h 30', sentence: 'À 20 h 30 ce serait possible.' }],
  leaves: ['', 'je suis flexible', 'ou à {x}'],
  restrictions: [
    'jamais à {x}',
    'mais pas à {x}',
    'sauf à {x}',
    'excepté à {x}',
    '{x} serait trop tard',
    'je dois être chez moi à {x}',
    'à {x} seulement si la terrasse est libre',
    'si ma femme veut, {x} convient',
    "je suis en réunion jusqu'à {x}",
    "n'acceptez pas {x}",
    'refusez {x}',
    'toute autre heure que {x}',
  ],
}

const GERMAN: Tongue = {
  purpose: 'Für morgen reservieren',
  refusal: 'Nein, leider nicht.',
  yes: 'Ja, genau.',
  things: [{ objective: 'Ein Tisch um 19 Uhr', offered: '20:30 Uhr', sentence: 'Um halb neun wäre es möglich.' }],
  leaves: ['', 'ich bin flexibel', 'oder um {x}'],
  restrictions: [
    'nie um {x}',
    'aber nicht um {x}',
    'außer um {x}',
    '{x} wäre zu spät',
    'ich muss um {x} zu Hause sein',
    'um {x} nur wenn die Terrasse frei ist',
    'wenn meine Frau will, ist {x} in Ordnung',
    'ich bin bis {x} in einer Besprechung',
    'nehmen Sie {x} nicht an',
    '{x} ablehnen',
    'alles, nur nicht um {x}',
    'keinesfalls {x}',
  ],
}

const PROPOSES = /possible instead|works too|acceptable|How about|también me sirve|convient aussi|passt auch/

/**
 * The suite tests each restriction with each objective and a third of permissions and places; `npm run soak` tests all.
 */
const SHARE = process.env['SOAK'] === undefined ? 3 : 1
const inTurn = (seed: string) => (_: unknown, at: number) => (at + seed.length) % SHARE === 0

/** The field of the restriction. */
const PLACES = ['objective', 'purpose', 'objectives', 'context'] as const
const LEAVES_BY_PLACE = 2

function ordersOf({ purpose, leaves }: Tongue, { objective, offered }: Thing, restriction: string) {
  const said = (text: string) => text.replace('{x}', offered)
  return leaves.flatMap((leave, at) =>
    // Every permission and every place, two places per permission.
    PLACES.filter((_, place) => (place + at) % LEAVES_BY_PLACE === 0 || place === 0).map((place) => {
      const [first, second] = [said(leave), said(restriction)]
      const own = [objective, first].filter(Boolean).join(', ')
      const capital = `${second.charAt(0).toUpperCase()}${second.slice(1)}`
      return {
        purpose: place === 'purpose' ? `${purpose}. ${capital}.` : purpose,
        objectives: [place === 'objective' ? `${own}, ${second}` : own, ...(place === 'objectives' ? [capital] : [])],
        context: place === 'context' ? { notes: second } : {},
      }
    }),
  )
}

/** Refuses, makes the offer, repeats it, then says yes to any question. */
function bargains({ refusal, yes }: Tongue, { sentence }: Thing): Answering {
  return (text, round) => {
    if (round === 0) return refusal
    return round === 1 || HOPES.test(text) ? sentence : yes
  }
}

const HOPES = /hoping|gustar|esperaba|espérais|gehofft|hatte .* im Sinn|What would the price be/

const TONGUES = [
  ['en', ENGLISH],
  ['es', SPANISH],
  ['fr', FRENCH],
  ['de', GERMAN],
] as const

describe.each(TONGUES)('in %s', (language, tongue) => {
  test.each(tongue.restrictions)('"%s" overrides every permission', { timeout: 60_000 }, async (restriction) => {
    const wrong: string[] = []
    for (const thing of tongue.things)
      for (const order of ordersOf(tongue, thing, restriction).filter(inTurn(thing.objective + restriction))) {
        const { outcomes, said } = await play({ ...order, language }, bargains(tongue, thing))
        if (outcomes[0] === undefined || isMet(outcomes[0]) || said.some((text) => PROPOSES.test(text)))
          wrong.push([order.purpose, ...order.objectives, JSON.stringify(order.context), ...said].join(' | '))
      }
    expect(wrong).toEqual([])
  })
})

/** A persona of the simulated network, as text only. */
function answersOf(number: string): Answering {
  const scenes = personas.find((persona) => persona.number === number)?.scenes
  let scene = scenes?.first
  const said = new Map<object, number>()
  return (text) => {
    const question = text.match(/[^.!?]+\?/g)?.join(' ') ?? text
    const rule = scene?.rules.find(
      ({ on, times }) => on.type === 'turn' && (on.says === null || on.says.test(question)) && times === undefined,
    )
    let sentence: string | null = null
    for (const act of rule?.does ?? []) {
      if (act.type === 'say') {
        const at = said.get(act) ?? 0
        said.set(act, at + 1)
        sentence = act.texts[at % act.texts.length] ?? null
      }
      if (act.type === 'go') scene = scenes?.[act.scene]
    }
    return sentence
  }
}

test.each(ENGLISH.restrictions)(
  'the agent accepts no offer of 0110 against "%s"',
  { timeout: 60_000 },
  async (restriction) => {
    const wrong: string[] = []
    for (const thing of ENGLISH.things.filter(({ offered }) => offered !== 'Saturday' && offered !== '130 dollars'))
      for (const order of ordersOf(ENGLISH, thing, restriction)
        .filter(({ objectives }) => objectives.length === 1)
        .filter(inTurn(thing.objective + restriction))) {
        const { outcomes, said } = await play(order, answersOf('0110'))
        if (outcomes[0] === undefined || isMet(outcomes[0]))
          wrong.push([order.purpose, ...order.objectives, JSON.stringify(order.context), ...said].join(' | '))
      }
    expect(wrong).toEqual([])
  },
)
