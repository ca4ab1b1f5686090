import type { MachineVerdict } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { classify, type Sounds } from './classify.ts'
import {
  FIRST_MACHINE_STATE,
  listenForMachine,
  machineDeadlineMs,
  type MachineEvent,
  type MachineSign,
} from './machine.ts'

const phrases: readonly [Sounds, string][] = [
  ['person', 'Hello?'],
  ['person', 'Good afternoon, thank you for calling the Market Street House, this is Maria, how may I help you?'],
  ['person', 'He is not available right now, who is this?'],
  ['person', 'She is not available. Can I take a message?'],
  ['person', 'He cannot come to the phone, may I ask what it is about?'],
  ['person', 'Would you like to leave a message for her?'],
  ['person', 'Do you want me to give him a message?'],
  ['person', 'I just got your voicemail.'],
  ['person', 'I left you a voicemail yesterday.'],
  ['person', 'We received your message after the tone, I think.'],
  ['person', 'Is this about my mailbox?'],
  ['person', 'You can call her back tomorrow.'],
  ['person', 'Sorry, he is away. Call him later.'],
  ['person', 'Who is this calling?'],
  ['person', 'One moment, let me look in the book.'],
  ['person', 'Yes, this is Sam Taylor speaking.'],
  ['person', 'We are closed on Mondays, but Tuesday is fine.'],
  ['person', 'I am not interested, thanks.'],
  ['person', 'Please take me off your list.'],
  ['person', 'We have two tables, one at seven and one at eight.'],
  ['person', 'Hola, ¿con quién hablo?'],
  ['person', 'Allô, oui, bonjour.'],
  ['person', 'Guten Tag, hier ist die Praxis Doktor Braun.'],
  ['person', 'Nachricht habe ich keine bekommen.'],
  [
    'recorder',
    'Hi, you have reached the voicemail of Sam Taylor. I cannot take your call right now. Please leave a message after the tone.',
  ],
  ['recorder', "Hi, it's Ann, I can't come to the phone, leave me a message."],
  ['recorder', 'Your call has been forwarded to an automatic voice message system.'],
  ['recorder', 'The person you are calling is not available.'],
  ['recorder', 'The subscriber you have dialed is unavailable, try again later.'],
  ['recorder', 'At the tone, please record your message.'],
  ['recorder', 'Leave your name and number and I will get back to you as soon as I can.'],
  ['recorder', 'The mailbox is full.'],
  ['recorder', 'Leave a short message after the beep.'],
  ['recorder', 'En este momento no puedo atender. Deje su mensaje después de la señal.'],
  ['recorder', 'Este es el buzón de voz de Carmen.'],
  ['recorder', 'Vous êtes bien sur la messagerie de Paul. Laissez un message après le bip.'],
  ['recorder', 'Laissez-moi un message.'],
  ['recorder', 'Hier ist die Mailbox von Peter.'],
  ['recorder', 'Bitte sprechen Sie nach dem Signalton.'],
  ['recorder', 'Hinterlassen Sie mir bitte eine Nachricht.'],
  ['menu', 'For reservations, press 1. For opening hours, press 2.'],
  ['menu', 'To speak to a nurse, press three.'],
  ['menu', 'Please listen carefully to the following options.'],
  ['menu', 'Para reservas, pulse uno.'],
  ['menu', 'Pour une réservation, tapez 1.'],
  ['menu', 'Für Reservierungen drücken Sie bitte die 1.'],
  ['screening', 'Hi. The person you are calling uses a screening assistant. Please say who is calling and why.'],
  ['screening', 'Please state your name and the reason for your call.'],
  ['screening', 'Before I put you through, tell me who is calling and what it is about.'],
  ['waiting', 'Thank you. Please stay on the line.'],
  ['waiting', 'One moment. You are being connected.'],
  ['waiting', 'All our agents are currently busy, your call is important to us.'],
  ['waiting', 'Bleiben Sie bitte dran.'],
]

describe('classify', () => {
  it.each(phrases)('%s: %s', (sounds, text) => {
    expect(classify(text)).toBe(sounds)
  })
})

/** Feeds events with their times and returns what came of them; ticks come when they are due. */
function listen(...events: (readonly [atMs: number, event: MachineEvent])[]) {
  let state = FIRST_MACHINE_STATE
  const signs: [number, MachineSign][] = []
  const hear = (atMs: number, event: MachineEvent) => {
    const heard = listenForMachine(state, event, atMs)
    state = heard.state
    if (heard.sign) signs.push([atMs, heard.sign])
  }
  for (const [atMs, event] of [...events, [Infinity, null] as const]) {
    for (let dueMs = machineDeadlineMs(state); dueMs !== null && dueMs < atMs; dueMs = machineDeadlineMs(state))
      hear(dueMs, { type: 'tick' })
    if (event) hear(atMs, event)
  }
  return signs
}

const started = (sinceMs: number) => [sinceMs, { type: 'speech_started', sinceMs }] as const
const stopped = (untilMs: number) => [untilMs + 200, { type: 'speech_stopped', untilMs }] as const
const words = (atMs: number, text: string) => [atMs, { type: 'words', text, final: true }] as const
const beep = (atMs: number) => [atMs, { type: 'tone', tone: { type: 'beep' } }] as const
const voicemail = { type: 'cue', cue: { type: 'voicemail' } }

describe('listenForMachine', () => {
  it('reports voicemail after the words of a recorder and a beep', () => {
    const signs = listen(started(0), words(3000, 'Please leave a message after the tone.'), stopped(3000), beep(3600))
    expect(signs).toEqual([
      [3000, { type: 'suspected' }],
      [3600, voicemail],
    ])
  })

  it('reports voicemail after the words of a recorder and 1.5 s of silence', () => {
    const signs = listen(started(0), words(3000, 'Please leave a message after the tone.'), stopped(3000))
    expect(signs.at(-1)).toEqual([4500, voicemail])
  })

  it('delays voicemail while the recorder keeps talking', () => {
    const signs = listen(started(0), words(2000, 'Leave a message.'), stopped(2000), started(3000), stopped(5000))
    expect(signs.at(-1)).toEqual([6500, voicemail])
  })

  it('reports voicemail without words only after a long greeting and a beep', () => {
    expect(listen(started(0), stopped(4000), beep(5000))).toEqual([[5000, voicemail]])
    expect(listen(started(0), beep(4000))).toEqual([[4000, voicemail]])
    expect(listen(started(0), stopped(2000), beep(3000))).toEqual([])
    expect(listen(started(0), words(4000, 'Good afternoon, this is Maria.'), stopped(4000))).toEqual([])
  })

  it('reports voicemail once', () => {
    const signs = listen(
      started(0),
      words(3000, 'Leave a message.'),
      stopped(3000),
      beep(3600),
      beep(9000),
      words(9500, 'Leave a message.'),
    )
    expect(signs.filter(([, sign]) => sign.type === 'cue')).toHaveLength(1)
  })

  it("withdraws the suspicion when the next words are a person's", () => {
    const signs = listen(started(0), words(1500, 'He cannot come to the phone.'), words(2500, 'Can I take a message?'))
    expect(signs).toEqual([
      [1500, { type: 'suspected' }],
      [2500, { type: 'person' }],
    ])
  })

  it('reports no voicemail without a beep once a conversation has begun', () => {
    const signs = listen(talked, started(1000), words(2000, 'That went to my voicemail.'), stopped(2000))
    expect(signs).toEqual([
      [2000, { type: 'suspected' }],
      [3500, { type: 'person' }],
    ])
  })

  const talked = [0, { type: 'conversation' }] as const
  const LEAVE = 'I cannot take your call, leave a message after the tone.'

  it('reports voicemail once for a beep after the words of a recorder in a conversation', () => {
    const signs = listen(talked, started(1000), words(4000, LEAVE), stopped(4000), beep(6500), beep(9000))
    expect(signs.map(([atMs, sign]) => [atMs, sign.type])).toEqual([
      [4000, 'suspected'],
      [5500, 'person'],
      [6500, 'cue'],
    ])
  })

  it('reports voicemail in a conversation when the words come up to 3 s after the beep', () => {
    expect(listen(talked, started(1000), stopped(4000), beep(4500), words(5500, LEAVE))).toEqual([[5500, voicemail]])
    expect(listen(talked, started(1000), stopped(4000), beep(4500), words(8000, LEAVE))).not.toContainEqual([
      8000,
      voicemail,
    ])
  })

  it('reports nothing for a beep or a fax tone in a conversation of persons', () => {
    const fax = [9000, { type: 'tone', tone: { type: 'fax', side: 'called' } }] as const
    expect(listen(talked, started(1000), words(5000, 'We have a table at eight.'), beep(6000), fax)).toEqual([])
  })

  it('reports no menu once a conversation has begun', () => {
    const signs = listen(
      [0, { type: 'conversation' }],
      started(1000),
      words(4000, 'Press 9 0 0 1 2 3 4 now.'),
      stopped(4000),
    )
    expect(signs).toEqual([])
  })

  it('reports a menu after 800 ms of silence', () => {
    const text = 'For reservations, press 1.'
    expect(listen(started(0), words(2000, text), stopped(2000))).toEqual([
      [2000, { type: 'suspected' }],
      [2800, { type: 'cue', cue: { type: 'menu', text } }],
    ])
  })

  it('reports a person who speaks after screening and hold', () => {
    const signs = listen(
      started(0),
      words(2000, 'Please say who is calling and why.'),
      stopped(2000),
      started(8000),
      words(9000, 'Please stay on the line.'),
      stopped(9000),
      started(12_000),
      words(13_000, 'Hello, this is Sam.'),
      stopped(13_000),
    )
    expect(signs.map(([atMs, { type }]) => [atMs, type])).toEqual([
      [2000, 'suspected'],
      [2500, 'cue'],
      [9500, 'waits'],
      [13_400, 'person'],
    ])
  })

  it('reports a fax machine by its tone', () => {
    expect(listen([500, { type: 'tone', tone: { type: 'fax', side: 'called' } }])).toEqual([[500, { type: 'fax' }]])
  })
})

describe("the carrier's own detection", () => {
  const carrier = (atMs: number, verdict: MachineVerdict) => [atMs, { type: 'carrier', verdict }] as const

  it('makes a beep after a short greeting a voicemail', () => {
    expect(listen(started(0), stopped(1500), beep(2000))).toEqual([])
    expect(listen(started(0), stopped(1500), carrier(1800, 'machine'), beep(2000))).toEqual([[2000, voicemail]])
  })

  it('counts its beep as a beep after a greeting', () => {
    expect(listen(started(0), stopped(4000), carrier(5000, 'beep'))).toEqual([[5000, voicemail]])
    expect(listen(started(0), stopped(1500), carrier(2000, 'beep'))).toEqual([])
  })

  it.each(['machine', 'beep', 'fax'] as const)('does not cut off a person who speaks when it says "%s"', (verdict) => {
    const talks = [started(0), words(1500, 'Hello, this is Sam speaking.')] as const
    expect(listen(...talks, carrier(2000, verdict), stopped(2500), words(4000, 'Who is this?'))).toEqual([])
    expect(listen([0, { type: 'conversation' }], carrier(2000, verdict), beep(2500))).toEqual([])
  })

  it('ends the call for a fax machine that nobody speaks over', () => {
    expect(listen(carrier(3000, 'fax'))).toEqual([[3000, { type: 'fax' }]])
  })

  it('is withdrawn by "human"', () => {
    const signs = listen(started(0), stopped(1500), carrier(1600, 'machine'), carrier(1800, 'human'), beep(2000))
    expect(signs).toEqual([])
  })
})
