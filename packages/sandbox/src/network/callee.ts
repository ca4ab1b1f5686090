import { beep, type Frame, FRAME_MS, levelDbm0, ringback } from '@parley/voice-ports'
import type { CalleeDoes, FarParty } from './leg.ts'
import { framesOf, speakWhole, type Speak } from './sound.ts'
import type { Act, Persona, Rule, Scene, Trigger } from './persona.ts'

const VOICE_DBM0 = -45
/** Silence after a finished sentence that ends a turn; an unfinished one gets more. */
const TURN_PAUSE_MS = 700
const UNFINISHED_PAUSE_MS = 1400
/** Longer than the gaps between words. */
const SPEAKING_WITHIN_MS = 260
/** A person stops after this much overlap. */
const GIVES_WAY_MS = 1000
/** Less sound than this is a click. */
const SPEECH_MS = 120

/** An interrupted remark of fewer words is not answered. */
const REMARK_WORDS = 4

/** The acts of a rule under way. */
interface Plan {
  readonly rule: Rule
  readonly groups: Readonly<Record<string, string>>
  at: number
  startMs: number
  /** The sound of the current act, once it is made. */
  sound: { frames: readonly Frame[]; at: number } | null
}

/** One persona on one call. tick() advances it by 20 ms with what it heard. */
export class Callee implements FarParty {
  readonly #persona: Persona
  readonly #speak: Speak
  readonly #signal: AbortSignal
  readonly #onDigit: (digit: string) => void
  readonly #fired = new Map<Rule, number>()
  #scene: Scene
  #sceneStartMs: number
  #entered = false
  #plan: Plan | null = null
  #lastSaid = ''
  #failed = false

  #heard = ''
  #voicedMs = 0
  #wordsRunning = 0
  #sentences = 0
  #newSentence = false
  #agentVoiceMs = -Infinity
  #ownVoiceMs = -Infinity
  #overlapMs = 0
  #digit: string | null = null

  constructor(
    persona: Persona,
    speak: Speak,
    signal: AbortSignal,
    nowMs: number,
    onDigit: (digit: string) => void = () => undefined,
  ) {
    this.#persona = persona
    this.#onDigit = onDigit
    this.#speak = speak
    this.#signal = signal
    this.#scene = persona.scenes.first
    this.#sceneStartMs = nowMs
  }

  press(digit: string): void {
    this.#digit = digit
    this.#onDigit(digit)
  }

  /** Advances by 20 ms; `heard` is the frame that the leg played to the callee. */
  tick(nowMs: number, heard: Frame | null): CalleeDoes {
    if (heard) this.#hear(nowMs, heard)
    this.#react(nowMs)
    this.#digit = null
    this.#giveWay(nowMs)
    return this.#act(nowMs)
  }

  #hear(nowMs: number, frame: Frame): void {
    if (levelDbm0(frame.audio) > VOICE_DBM0) {
      this.#agentVoiceMs = nowMs
      this.#voicedMs += FRAME_MS
    }
    if (frame.text === undefined) return
    this.#agentVoiceMs = nowMs
    this.#heard = `${this.#heard} ${frame.text}`.trim()
    this.#wordsRunning += frame.text.split(' ').length
    if (!isFinished(frame.text)) return
    this.#wordsRunning = 0
    this.#sentences++
    this.#newSentence = true
  }

  #agentIsSpeaking(nowMs: number): boolean {
    return nowMs - this.#agentVoiceMs < SPEAKING_WITHIN_MS
  }

  #react(nowMs: number): void {
    for (const rule of this.#scene.rules) {
      if ((this.#fired.get(rule) ?? 0) >= (rule.times ?? Infinity)) continue
      if (this.#plan && !this.#preempts(rule)) continue
      const groups = this.#fits(rule.on, nowMs)
      if (!groups) continue
      this.#begin(rule, groups, nowMs)
      break
    }
    this.#entered = true
    this.#newSentence = false
  }

  /** Rules that interrupt the plan under way. */
  #preempts(rule: Rule): boolean {
    if (rule === this.#plan?.rule) return false
    return rule.on.type === 'elapsed' || rule.on.type === 'digit' || rule.on.type === 'sentence'
  }

  #fits(on: Trigger, nowMs: number): Record<string, string> | null {
    const yes = (fits: boolean) => (fits ? {} : null)
    switch (on.type) {
      case 'start':
        return yes(!this.#entered)
      case 'turn':
        return this.#turnIsOver(nowMs)
          ? matches(on.says, this.#scene.manners === 'person' ? focus(this.#heard) : this.#heard)
          : null
      case 'sentence':
        return yes(this.#newSentence || this.#turnIsOver(nowMs))
      case 'mid_sentence':
        return yes(
          this.#sentences >= on.sparedSentences && this.#wordsRunning >= on.afterWords && this.#agentIsSpeaking(nowMs),
        )
      case 'silence':
        return yes(nowMs - Math.max(this.#agentVoiceMs, this.#ownVoiceMs, this.#sceneStartMs) >= on.ms)
      case 'digit':
        return yes(this.#digit !== null && (on.digit === null || on.digit === this.#digit))
      case 'elapsed':
        return yes(nowMs - this.#sceneStartMs >= on.ms)
    }
  }

  #turnIsOver(nowMs: number): boolean {
    if (this.#heard === '' && this.#voicedMs < SPEECH_MS) return false
    const pauseMs = this.#heard === '' || isFinished(this.#heard) ? TURN_PAUSE_MS : UNFINISHED_PAUSE_MS
    return nowMs - this.#agentVoiceMs >= pauseMs
  }

  #begin(rule: Rule, groups: Record<string, string>, nowMs: number): void {
    this.#fired.set(rule, (this.#fired.get(rule) ?? 0) + 1)
    this.#plan = { rule, groups, at: -1, startMs: nowMs + rule.afterMs, sound: null }
    this.#next(this.#plan)
    if (rule.over) this.#wordsRunning = 0
  }

  /** Goes to the plan's next act and makes its sound in advance. */
  #next(plan: Plan): void {
    plan.at++
    plan.sound = null
    const act = plan.rule.does[plan.at]
    if (act?.type === 'tone') plan.sound = { frames: toneFrames(act), at: 0 }
    if (act?.type === 'say') this.#prepare(plan, this.#choose(act.texts, plan))
    if (act?.type === 'repeat') this.#prepare(plan, this.#lastSaid || 'Sorry?')
  }

  #choose(texts: readonly string[], plan: Plan): string {
    const turn = (this.#fired.get(plan.rule) ?? 1) - 1
    const text = texts[turn % texts.length] ?? ''
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => plan.groups[name] ?? '')
  }

  #prepare(plan: Plan, text: string): void {
    const { at } = plan
    if (!plan.rule.over) this.#lastSaid = text
    const { language } = this.#persona
    speakWhole(this.#speak, text, { language, voiceId: this.#scene.voiceId, signal: this.#signal }).then(
      (sound) => {
        if (plan.at === at) plan.sound = { frames: framesOf(sound), at: 0 }
      },
      () => {
        this.#failed = true
      },
    )
  }

  /** A person does not begin while the agent speaks, and stops when the agent keeps talking. */
  #giveWay(nowMs: number): void {
    const plan = this.#plan
    if (!plan || plan.rule.over || this.#scene.manners === 'machine') return
    const speaks = this.#agentIsSpeaking(nowMs)
    this.#overlapMs = speaks && plan.sound && plan.sound.at > 0 ? this.#overlapMs + FRAME_MS : 0
    const waits = speaks && isSpoken(plan.rule.does[plan.at]) && (plan.sound?.at ?? 0) === 0
    if (waits) this.#fired.set(plan.rule, (this.#fired.get(plan.rule) ?? 1) - 1)
    if (waits || this.#overlapMs > GIVES_WAY_MS) this.#plan = null
  }

  #act(nowMs: number): CalleeDoes {
    const quiet: CalleeDoes = { frame: null, digits: '', ends: this.#failed ? 'failed' : null }
    const plan = this.#plan
    if (!plan || nowMs < plan.startMs) return quiet
    const act = plan.rule.does[plan.at]
    switch (act?.type) {
      case undefined:
        this.#plan = null
        return quiet
      case 'say':
      case 'repeat':
      case 'tone': {
        const frame = this.#sound(plan, nowMs)
        // The plan has gone on: the whole tone was heard.
        const beeped = act.type === 'tone' && act.tone === 'beep' && plan.rule.does[plan.at] !== act
        return { ...quiet, frame, beeped }
      }
      case 'wait':
        plan.startMs = nowMs + act.ms
        this.#next(plan)
        return quiet
      case 'press':
        this.#next(plan)
        return { ...quiet, digits: act.digits }
      case 'go':
        this.#enter(act.scene, nowMs)
        return quiet
      case 'hang_up':
        return { ...quiet, ends: 'remote' }
      case 'drop':
        return { ...quiet, ends: 'dropped' }
    }
  }

  #sound(plan: Plan, nowMs: number): Frame | null {
    const { sound } = plan
    if (!sound) return null
    // The answer begins: what was heard before has been dealt with.
    if (sound.at === 0 && plan.rule.over !== 'cheers') this.#forget()
    const frame = sound.frames[sound.at++] ?? null
    if (frame) this.#ownVoiceMs = nowMs
    if (sound.at >= sound.frames.length) {
      if (this.#scene.manners === 'machine' || this.#heard.split(' ').length < REMARK_WORDS) this.#forget()
      this.#next(plan)
    }
    return frame
  }

  #forget(): void {
    this.#heard = ''
    this.#voicedMs = 0
    this.#wordsRunning = 0
  }

  #enter(name: string, nowMs: number): void {
    this.#scene = this.#persona.scenes[name] ?? this.#persona.scenes.first
    this.#sceneStartMs = nowMs
    this.#entered = false
    this.#plan = null
    this.#forget()
  }
}

const isSpoken = (act: Act | undefined) => act?.type === 'say' || act?.type === 'repeat'

const isFinished = (text: string) => /[.!?…。！？]["')\]]*$/.test(text)

function toneFrames(act: Extract<Act, { type: 'tone' }>): Frame[] {
  return framesOf({ audio: act.tone === 'beep' ? beep(act.ms) : ringback(act.ms), words: [] })
}

/** The last question and what follows it; without one, everything said. */
function focus(text: string): string {
  const sentences = text.match(/[^.!?]+[.!?]*/g) ?? [text]
  const question = sentences.findLastIndex((sentence) => sentence.includes('?'))
  return sentences.slice(Math.max(0, question)).join('').trim()
}

function matches(says: RegExp | null, heard: string): Record<string, string> | null {
  if (says === null) return {}
  const match = says.exec(heard)
  if (!match) return null
  return Object.fromEntries(
    Object.entries(match.groups ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
