import { describe, expect, it } from 'vitest'
import { silentFrame, type Frame } from '@parley/voice-ports'
import { Callee } from '../callee.ts'
import type { Persona } from '../persona.ts'
import { helpful } from './0100.ts'
import { spanish } from './0113.ts'
import { personaOf, personas } from './index.ts'

/** What the callee says or presses last after these turns of the agent, each followed by silence. */
function answerTo(persona: Persona, ...turns: string[]): string {
  const said: string[] = []
  const frame: Frame = { audio: new Uint8Array(160).fill(0x9f) }
  const callee = new Callee(
    persona,
    async function* (text) {
      said.push(text)
      yield { audio: new Uint8Array(0), words: [] }
    },
    new AbortController().signal,
    0,
  )
  let nowMs = 0
  const pass = (heard: Frame, ms: number) => {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 20) {
      const { digits } = callee.tick(nowMs, heard)
      if (digits) said.push(`[${digits}]`)
    }
  }
  for (const turn of turns) {
    said.length = 0
    for (const text of turn.split(' ')) {
      callee.tick((nowMs += 20), { ...frame, text })
      pass(frame, 100)
    }
    pass(silentFrame(), 2500)
  }
  return said.at(-1) ?? ''
}

const HELLO = 'Hello, this is an AI assistant calling on behalf of Anna Lee.'

describe('the callee 0100', () => {
  it.each([
    [HELLO, /^Hello\. Yes, go ahead/],
    ['Your call with the number that ends in 0 1 0 2 is on the line. Press 1 to be connected.', /^\[1\]$/],
    ['Hi there, how are you today?', /very well/],
    ['Is this a good time to talk?', /good time/],
    ['I have a few questions for you.', /good time/],
    ['Is it all right if this call is recorded?', /fine with me/],
    ['I would like to book a table for two on Friday. Is that possible?', /^Yes/],
    ['Would a table for two on Friday at 7 pm be possible?', /^Yes/],
    ['Could you confirm that you are coming?', /confirm/],
    ['And are there vegetarian dishes?', /do have|available/],
    ['Do you have a room with a view of the sea?', /do have|available/],
    ['Could you tell me the price of the menu?', /eighty dollars/],
    ['How much is the deposit?', /eighty dollars/],
    ['Could you tell me the nightly rate?', /eighty dollars/],
    ['Would a discount of 10 percent be possible?', /^Yes, I can do that/],
    ['What discount can you offer?', /Ten percent/],
    ['What time works best for you?', /half past seven/i],
    ['When could you come by?', /half past seven/],
    ['Which day suits you?', /half past seven/],
    ['Could you tell me the check-in time?', /three in the afternoon/],
    ['What are your opening hours?', /nine in the morning/],
    ['How many people will be there?', /Four/],
    ['How long does it take?', /hour/],
    ['How satisfied were you on a scale from one to ten?', /out of ten/],
    ['What could be improved?', /waiting times/],
    ['How was your stay?', /very good/],
    ['Who am I speaking with?', /Sam Taylor/],
    ['May I have your name, please?', /Sam Taylor/],
    ['Could you spell that for me?', /S, A, M/],
    ['What is the best phone number to reach you?', /This number/],
    ['What is your email address?', /example dot com/],
    ['Where are you located?', /Market Street/],
    ['Would you prefer Friday or Saturday?', /^Friday, please\.$/],
    ['Would you like the window table or the one by the door?', /^the window table, please\.$/],
    ['Is it for lunch or for dinner?', /^for lunch, please\.$/],
    ['Would you rather come in the morning or in the evening?', /^come in the morning, please\.$/],
    ['Is there anything else you need?', /No, that is everything/],
    ['Is that everything you need from me?', /Yes, that is everything/],
    ['One moment, please.', /take your time/],
    ['Are you still there?', /Yes/],
    ['Could you tell me the name of the widget model?', /Sam Taylor|usual/],
    ['Could you tell me the color of the walls?', /the usual one/],
    ['Flibberty gibbet?', /^Yes/],
    ['The weather is nice.', /All right/],
    ['Thank you so much.', /welcome/],
    ['Thank you for your help. Have a lovely day, goodbye!', /Goodbye/],
  ])('answers "%s"', (question, answer) => {
    expect(answerTo(helpful, question)).toMatch(answer)
  })

  it('repeats its last answer on request', () => {
    expect(answerTo(helpful, 'How much is it?', 'Sorry, could you repeat that?')).toMatch(/^It is eighty dollars/)
  })
})

describe('the callee 0113', () => {
  it.each([
    [HELLO, /no hablo inglés/],
    ['Buenos días, soy un asistente virtual y llamo de parte de Ana.', /dígame/],
    ['¿A qué hora sería posible?', /siete y media/],
    ['¿Cuánto cuesta el menú?', /ochenta euros/],
    ['¿Cuántas personas son?', /cuatro/],
    ['¿Prefiere el viernes o el sábado?', /Mejor el viernes/],
    ['¿Me lo puede repetir?', /dígame/],
    ['¿Me puede decir su nombre?', /María Torres/],
    ['Muchas gracias, adiós.', /Adiós/],
  ])('answers "%s"', (question, answer) => {
    expect(answerTo(spanish, question)).toMatch(answer)
  })
})

describe('personaOf', () => {
  it('finds a persona by the last seven digits of the number', () => {
    expect(['+12125550101', '+442075550101', '+34915550101'].map((number) => personaOf(number).about)).toEqual([
      'busy',
      'busy',
      'busy',
    ])
    expect(personaOf('+4930123456')).toBe(helpful)
  })

  it('finds one persona per number, whose scenes all exist', () => {
    expect(new Set(personas.map(({ number }) => number)).size).toBe(personas.length)
    const missing = personas.flatMap(({ number, scenes }) => {
      const acts = Object.values(scenes).flatMap(({ rules }) => rules.flatMap((rule) => rule.does))
      return acts.flatMap((act) =>
        act.type === 'go' && !Object.hasOwn(scenes, act.scene) ? [`${number}: ${act.scene}`] : [],
      )
    })
    expect(missing).toEqual([])
  })
})
