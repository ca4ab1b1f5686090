import { randomUUID } from 'node:crypto'
import type { CallState, Clock, EarEvent, ListenOptions, Listening } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { instructionsFor, orderFor, RULES, situationFor } from '../instructions.ts'
import { type Line, type LineEvent, type LineQuestion, LostSession, type Output } from '../line.ts'
import { Link, type LinkFailure } from '../link.ts'
import { settledBefore } from '../queue.ts'
import { TOOLS } from '../tools.ts'
import { Generation } from './generation.ts'
import { Hearing } from './hearing.ts'
import { History } from './history.ts'
import { type Content, readMessage, type ServerMessage, setupOf } from './wire.ts'

export interface GeminiLineOptions {
  readonly url: string
  readonly apiKey: string
  readonly model: string
  readonly output: Output
  readonly voice: string
  readonly settlesWithinMs: number
  readonly clock: Clock
  readonly log: Logger
}

/** A turn that nobody waits for and that does not end by then is taken for over. */
const CANCELLED_MS = 4000
const SOUND = 'audio/pcm;rate=16000'
/** This vendor takes no bounds in a schema that it does not know. */
const FUNCTIONS = TOOLS.map(({ name, description, parameters }) => ({
  name,
  description,
  parametersJsonSchema: parameters,
}))

/** One call at the Gemini Live API. */
export class GeminiLine implements Line {
  readonly #options: GeminiLineOptions
  readonly #link: Link
  readonly #history = new History()
  #ear: Hearing | null = null
  /** In the order in which they were started; the first is being made. */
  #generations: Generation[] = []
  /** Started by the end of the callee's sound, and not asked for yet. */
  #answering: Generation | null = null
  /** Usage that was told behind the end of its turn: counts with the next. */
  readonly #owed: LineEvent[] = []
  #isSoundOpen = false
  #order: CallState | null = null
  #knowsOrder = false
  #isLeaving = false

  constructor(options: GeminiLineOptions) {
    const { url, apiKey, clock } = options
    this.#options = options
    this.#link = new Link({
      url,
      headers: { 'x-goog-api-key': apiKey },
      clock,
      onOpen: () => this.#setUp(),
      onMessage: (text) => this.#read(text),
      onDown: (failure) => this.#down(failure),
    })
  }

  get isGivenUp(): boolean {
    return this.#link.isGivenUp
  }

  #setUp(): void {
    const { model, voice } = this.#options
    this.#knowsOrder = this.#order !== null
    const instructions = this.#order ? instructionsFor(this.#order) : RULES
    this.#link.send(setupOf({ model, voice, instructions, tools: FUNCTIONS }))
  }

  // The ear

  listen({ signal }: ListenOptions, onEvent: (event: EarEvent) => void): Listening {
    this.#ear?.close()
    const { clock, settlesWithinMs } = this.#options
    const ear: Hearing = new Hearing(clock, settlesWithinMs, onEvent, {
      sound: (pcm) => this.#hear(pcm),
      ended: () => this.#soundEnded(),
      closed: () => {
        if (this.#ear === ear) this.#ear = null
      },
    })
    this.#ear = ear
    signal.addEventListener('abort', () => ear.close(), { once: true })
    if (this.#link.isGivenUp) ear.fail('The vendor was given up for this call.', false, null)
    else if (this.#link.isReady) ear.ready()
    else this.#link.open()
    return ear
  }

  #hear(pcm: Uint8Array): void {
    if (!this.#isSoundOpen) this.#input({ activityStart: {} })
    this.#isSoundOpen = true
    this.#input({ audio: { mimeType: SOUND, data: Buffer.from(pcm).toString('base64') } })
  }

  /** The end of the sound makes the vendor answer: that is the reply, if one is asked for. */
  #soundEnded(): (text: string) => void {
    const sound = this.#history.heardSound()
    if (this.#isSoundOpen) {
      this.#drop(this.#answering)
      this.#input({ activityEnd: {} })
      this.#answering = this.#start()
    }
    this.#isSoundOpen = false
    return (text) => void (sound.text = text)
  }

  #input(realtimeInput: object): void {
    this.#link.send({ realtimeInput })
  }

  // The model

  async *ask({ state, cue, replyId, used, again }: LineQuestion, signal: AbortSignal): AsyncGenerator<LineEvent> {
    this.#order = state
    if (!(await settledBefore(this.#link.ready(), signal))) return
    const news = this.#history.news(state.turns, again ? [...used, replyId] : used)
    const prepared = this.#answering
    this.#answering = null
    const isWanted = prepared !== null && cue.type === 'heard' && !again && !news.isUrgent
    const generation = isWanted ? prepared : this.#prompt(state, [...news.lines, situationFor(state, cue)], prepared)
    generation.replyId = replyId
    if (generation.text !== '') this.#history.said(replyId, generation.text)
    try {
      yield* generation.events.read(signal)
      if (!signal.aborted) this.#link.worked()
    } finally {
      this.#drop(generation)
    }
  }

  /** Text is taken within an activity, as sound is. */
  #prompt(state: CallState, lines: readonly string[], unwanted: Generation | null): Generation {
    this.#drop(unwanted)
    const order = this.#knowsOrder ? [] : [orderFor(state)]
    this.#knowsOrder = true
    if (!this.#isSoundOpen) this.#input({ activityStart: {} })
    this.#input({ text: [...order, ...lines].join('\n') })
    this.#input({ activityEnd: {} })
    this.#isSoundOpen = false
    return this.#start()
  }

  #start(): Generation {
    const generation = new Generation(`gemini-${randomUUID()}`, this.#options.output)
    for (const usage of this.#owed.splice(0)) generation.events.push(usage)
    this.#generations.push(generation)
    return generation
  }

  /** Nobody waits for it. The vendor cannot be told, and what it still makes of it is passed over. */
  #drop(generation: Generation | null): void {
    if (!generation || generation.isCancelled) return
    generation.isCancelled = true
    generation.end()
    this.#options.clock.after(CANCELLED_MS, () => this.#remove(generation))
  }

  #remove(generation: Generation): void {
    this.#generations = this.#generations.filter((other) => other !== generation)
  }

  write(): Promise<unknown> {
    return Promise.reject(new Error('A live session writes nothing beside its conversation.'))
  }

  /** Only the turns, as heard, correct this vendor. */
  heard(): void {}

  dropped(): void {}

  close(): void {
    this.#link.close()
    this.#lose(new Error('The call is over.'))
  }

  // The wire

  #read(text: string): void {
    const message = readMessage(text)
    if (message) this.#take(message)
  }

  #take({ setupComplete, serverContent, toolCall, usageMetadata, goAway }: ServerMessage): void {
    if (setupComplete) {
      this.#link.becameReady()
      this.#ear?.ready()
    }
    const [generation] = this.#generations
    if (usageMetadata) {
      const { promptTokenCount: inputTokens = 0, responseTokenCount: outputTokens = 0 } = usageMetadata
      const usage: LineEvent = { type: 'usage', inputTokens, outputTokens }
      if (generation && !generation.isOver) generation.events.push(usage)
      else this.#owed.push(usage)
    }
    for (const { id, name, args } of toolCall?.functionCalls ?? []) {
      if (!generation?.isCancelled) generation?.tool(name, args ?? {})
      const response = { ...(id !== undefined && { id }), name, response: { result: 'ok' } }
      this.#link.send({ toolResponse: { functionResponses: [response] } })
    }
    if (serverContent) this.#heardContent(serverContent, generation)
    if (goAway) this.#isLeaving = true
    this.#leaveWhenIdle()
  }

  #heardContent(content: Content, generation: Generation | undefined): void {
    this.#ear?.take(content)
    if (content.modelTurn || content.outputTranscription) this.#ear?.answered()
    if (!generation) return
    if (!generation.isCancelled) this.#passOn(content, generation)
    const { interrupted, generationComplete, turnComplete, turnCompleteReason: reason } = content
    // The vendor waits with the end of a turn until it would have been heard.
    if (generationComplete === true && !generation.isCancelled) generation.end()
    if (interrupted === true) generation.end(new Error('The vendor broke the reply off.'))
    if (turnComplete !== true) return
    const isFault = generation.text === '' && reason !== undefined && reason !== 'TURN_COMPLETE_REASON_UNSPECIFIED'
    generation.end(isFault ? new Error(`The vendor gave no reply: ${reason}.`) : null)
    this.#remove(generation)
  }

  #passOn({ outputTranscription, modelTurn }: Content, generation: Generation): void {
    if (outputTranscription && outputTranscription.text !== '') {
      generation.said(outputTranscription.text)
      if (generation.replyId !== null) this.#history.said(generation.replyId, outputTranscription.text)
    }
    for (const { inlineData } of modelTurn?.parts ?? [])
      if (inlineData?.mimeType.startsWith('audio/')) generation.sound(inlineData.mimeType, inlineData.data)
  }

  /** The vendor is about to end the session: a new one is made between two replies. */
  #leaveWhenIdle(): void {
    const isBusy = this.#isSoundOpen || this.#generations.some(({ isOver }) => !isOver)
    if (!this.#isLeaving || isBusy) return
    this.#link.fail('The vendor ends the session.')
  }

  #down({ message, retryable, retryAfterMs }: LinkFailure): void {
    this.#options.log.warn({ why: message, retryable }, 'the realtime session is lost')
    this.#lose(new LostSession(message))
    const ear = this.#ear
    this.#ear = null
    ear?.fail(message, retryable, retryAfterMs)
  }

  #lose(error: Error): void {
    this.#history.reset()
    for (const generation of this.#generations) generation.end(error)
    this.#generations = []
    this.#answering = null
    this.#isSoundOpen = false
    this.#isLeaving = false
  }
}
