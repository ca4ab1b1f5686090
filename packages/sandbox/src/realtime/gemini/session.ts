import { randomUUID } from 'node:crypto'
import { createResampler, decodeMulaw, encodeMulaw, resample, SAMPLE_RATE_HZ } from '@parley/voice-ports'
import { z } from 'zod'
import { type Callee, Recogniser } from '../callee.ts'
import { type Answers, type FarItem, type Pace, type Step, toneVoice, waited, wordsOf } from '../script.ts'
import type { FarSocket } from '../server.ts'
import { ClientMessage, type RealtimeInput, type Setup } from './wire.ts'

const INPUT_HZ = 16_000
const OUTPUT_HZ = 24_000
/** What a resampler of the client holds back of the last word. */
const LAG_MS = 20
const INVALID = 1007

/** Every word sounds the same. */
let wordSound: string | null = null
function soundOfWord(): string {
  const samples = () => resample(decodeMulaw(toneVoice()), SAMPLE_RATE_HZ, OUTPUT_HZ)
  wordSound ??= Buffer.from(samples().buffer).toString('base64')
  return wordSound
}

export interface SessionOptions {
  readonly pace: Pace
  readonly answers: Answers
  readonly callee: Callee
  /** Before the words of a sound, and whether the vendor says that they are complete. */
  readonly transcriptionMs: number
  readonly tellsFinished: boolean
}

/** One session: a socket, its setup, and its turns one after the other. */
export class GeminiSession {
  setup: Setup | null = null
  readonly items: FarItem[] = []
  /** What kinds of input came, in order, without their content. */
  readonly received: string[] = []
  readonly refusals: string[] = []
  readonly #socket: FarSocket
  readonly #options: SessionOptions
  readonly #downsample = createResampler(INPUT_HZ, SAMPLE_RATE_HZ)
  #isActive = false
  #utterances = 0
  #recogniser: Recogniser | null = null
  #told = 0
  #texts: string[] = []
  #turns: Promise<void> = Promise.resolve()
  #isOver = false

  constructor(socket: FarSocket, options: SessionOptions) {
    this.#socket = socket
    this.#options = options
    socket.onMessage((text) => this.#take(text))
    socket.onClose(() => (this.#isOver = true))
  }

  tell(message: object): void {
    if (!this.#isOver) this.#socket.send(message)
  }

  break(): void {
    this.#isOver = true
    this.#socket.break()
  }

  /** As before the end of a connection, which lasts about ten minutes. */
  goAway(): void {
    this.tell({ goAway: { timeLeft: '10s' } })
  }

  /** This vendor closes the session on anything that it does not understand. */
  #refuse(why: string): void {
    this.refusals.push(why)
    this.#socket.close(INVALID, why.slice(0, 100))
  }

  #take(text: string): void {
    const { data: message, error } = ClientMessage.safeParse(asJson(text))
    if (!message) return this.#refuse(z.prettifyError(error))
    if ('setup' in message) {
      if (this.setup) return this.#refuse('setup must be the first message and only the first')
      this.setup = message.setup
      return this.tell({ setupComplete: {} })
    }
    if (!this.setup) return this.#refuse('setup must be the first message')
    if ('realtimeInput' in message) return this.#input(message.realtimeInput)
    this.received.push('toolResponse')
    return undefined
  }

  #input(input: RealtimeInput): void {
    const kind = Object.keys(input)[0] ?? ''
    if (kind !== 'audio') this.received.push(kind)
    if (this.setup?.realtimeInputConfig?.automaticActivityDetection?.disabled !== true)
      return this.#refuse('This far end detects no activity.')
    if (input.activityStart) {
      if (this.#isActive) return this.#refuse('An activity is under way.')
      this.#isActive = true
    } else if (!this.#isActive) return this.#refuse(`${kind} came outside an activity.`)
    if (input.audio) this.#hear(input.audio)
    if (input.text !== undefined) this.#texts.push(input.text)
    if (input.activityEnd) this.#ended()
    return undefined
  }

  #hear({ mimeType, data }: { readonly mimeType: string; readonly data: string }): void {
    if (mimeType !== 'audio/pcm;rate=16000') return this.#refuse(`This far end hears no ${mimeType}.`)
    const bytes = Buffer.from(data, 'base64')
    const samples = Int16Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(at * 2))
    this.#recogniser ??= this.#newUtterance()
    this.#recogniser.push(encodeMulaw(this.#downsample.push(samples)))
    this.#tellWords(this.#recogniser)
  }

  #newUtterance(): Recogniser {
    const number = this.#utterances++
    this.#told = 0
    return new Recogniser(() => this.#options.callee(number, null), LAG_MS)
  }

  #tellWords({ words }: Recogniser): void {
    if (!this.setup?.inputAudioTranscription) return
    for (; this.#told < words.length; this.#told++)
      this.tell({
        serverContent: { inputTranscription: { text: `${this.#told === 0 ? '' : ' '}${words[this.#told]}` } },
      })
  }

  #ended(): void {
    this.#isActive = false
    const recogniser = this.#recogniser
    this.#recogniser = null
    if (recogniser) {
      this.items.push({ id: randomUUID(), from: 'callee', text: recogniser.words.join(' '), isSound: true })
      if (this.#options.tellsFinished)
        void waited(this.#options.pace, this.#options.transcriptionMs).then(() =>
          this.tell({ serverContent: { inputTranscription: { text: '', finished: true } } }),
        )
    }
    for (const text of this.#texts.splice(0))
      this.items.push({ id: randomUUID(), from: 'system', text, isSound: false })
    this.#turns = this.#turns.then(() => this.#turn())
  }

  async #turn(): Promise<void> {
    if (this.#isOver) return
    const { answers } = this.#options
    const instructions = this.setup?.systemInstruction?.parts.map(({ text }) => text).join('\n') ?? ''
    const tools = this.setup?.tools?.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name))
    const question = { instructions, items: [...this.items], tools: tools ?? [], language: null, isApart: false }
    let fault = ''
    let words = 0
    for (const step of answers({ ...question, output: 'audio' })) {
      if ('hangs' in step) return
      if ('fail' in step) fault = step.fail.code
      else words += await this.#do(step)
      if (this.#isOver) return
    }
    if (fault === '') this.tell({ serverContent: { generationComplete: true } })
    const usageMetadata = { promptTokenCount: this.items.length * 20, responseTokenCount: words }
    const end = { turnComplete: true, ...(fault !== '' && { turnCompleteReason: fault }) }
    this.tell({ serverContent: end, usageMetadata })
  }

  async #do(step: Exclude<Step, { hangs: true } | { fail: unknown }>): Promise<number> {
    if ('say' in step) return this.#say(step.say)
    if ('waitMs' in step) await waited(this.#options.pace, step.waitMs)
    else if ('garbage' in step) this.#socket.send(step.garbage)
    else if ('breaks' in step) this.break()
    else {
      const args = typeof step.with === 'string' ? undefined : step.with
      this.tell({ toolCall: { functionCalls: [{ id: `call-${randomUUID()}`, name: step.call, args }] } })
    }
    return 0
  }

  async #say(text: string): Promise<number> {
    const words = wordsOf(text)
    let said = ''
    for (const [at, word] of words.entries()) {
      if (this.#isOver) return at
      const delta = `${at === 0 ? '' : ' '}${word}`
      said += delta
      if (this.setup?.outputAudioTranscription) this.tell({ serverContent: { outputTranscription: { text: delta } } })
      const inlineData = { mimeType: `audio/pcm;rate=${OUTPUT_HZ}`, data: soundOfWord() }
      this.tell({ serverContent: { modelTurn: { role: 'model', parts: [{ inlineData }] } } })
      await waited(this.#options.pace, this.#options.pace.wordMs)
    }
    this.items.push({ id: randomUUID(), from: 'agent', text: said, isSound: true })
    return words.length
  }
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
