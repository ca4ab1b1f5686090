// @ts-nocheck The peer is not among the packages of this project: nothing is known here of its types.
/* oxlint-disable typescript/no-unsafe-argument, typescript/no-unsafe-assignment, typescript/no-unsafe-call, typescript/no-unsafe-member-access, typescript/no-unsafe-return */
// The peer's sessions, without a room, in a process of their own: argv is where it is installed, then the numbers of
// calls. It gets the same callees, the same activity detector, and ears, mouth and mind that take no time either.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ActivityDetector, decodeMulaw, encodeMulaw, FRAME_BYTES, FRAME_MS, levelDbm0 } from '@parley/voice-ports'
import { benchCarrier, madeSpeech } from './far-end.ts'
import { UTTERANCES } from './utterances.ts'
import { PAUSE_MS, runLadder } from './ladder.ts'
import { ANSWER, benchAdapters } from './adapters.ts'

const [folder, ...rungs] = process.argv.slice(2)
const load = async (name) => import(createRequire(join(folder, 'package.json')).resolve(name))
const { initializeLogger, llm, stt, tts, vad, voice } = await load('@livekit/agents')
const { AudioFrame } = await load('@livekit/rtc-node')
const { VAD = vad?.VAD, VADStream = vad?.VADStream, VADEventType = vad?.VADEventType } = await load('@livekit/agents')
initializeLogger({ pretty: false, level: 'silent' })

const RATE_HZ = 8000
const adapters = benchAdapters()
const { audio: answerAudio } = madeSpeech(ANSWER)
const answerFrames = Array.from({ length: Math.ceil(answerAudio.length / FRAME_BYTES) }, (_, at) => {
  const samples = decodeMulaw(answerAudio.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES))
  return new AudioFrame(samples, RATE_HZ, 1, samples.length)
})

class Input extends voice.AudioInput {
  constructor() {
    super()
    const stream = new ReadableStream({ start: (controller) => void (this.controller = controller) })
    this.multiStream.addInputStream(stream)
  }
  push(frame) {
    this.controller.enqueue(frame)
  }
}

/** Plays what it is given at the pace of the clock. */
class Output extends voice.AudioOutput {
  queue = []
  pushed = 0
  played = 0
  ended = false
  leave = null
  constructor(send) {
    super(RATE_HZ, undefined, { pause: false })
    this.send = send
  }
  async captureFrame(frame) {
    await super.captureFrame(frame)
    if (this.pushed++ === 0) this.onPlaybackStarted(Date.now())
    this.queue.push(frame)
    this.leave ??= adapters.ticker.join(() => this.beat())
  }
  beat() {
    const frame = this.queue.shift()
    if (frame) {
      this.played++
      this.send({ audio: encodeMulaw(frame.data) })
    } else if (this.ended) this.finish(false)
  }
  finish(interrupted) {
    this.leave?.()
    this.leave = null
    const playbackPosition = (this.played * FRAME_MS) / 1000
    this.pushed = this.played = 0
    this.queue = []
    this.ended = false
    this.onPlaybackFinished({ playbackPosition, interrupted })
  }
  flush() {
    super.flush()
    if (this.pushed > 0) this.ended = true
  }
  clearBuffer() {
    if (this.pushed > 0) this.finish(true)
  }
}

class LevelVad extends VAD {
  label = 'level'
  constructor() {
    super({ updateInterval: FRAME_MS })
  }
  stream() {
    return new LevelVadStream(this)
  }
}

class LevelVadStream extends VADStream {
  label = 'level'
  constructor(own) {
    super(own)
    void this.run()
  }
  async run() {
    const detector = new ActivityDetector()
    let nowMs = 0
    let speaking = false
    let sinceMs = 0
    let untilMs = 0
    for (;;) {
      const { done, value } = await this.inputReader.read()
      if (done) return
      if (typeof value === 'symbol') continue
      nowMs += FRAME_MS
      const found = detector.push(levelDbm0(encodeMulaw(value.data)), nowMs)
      const tell = (type) =>
        this.sendVADEvent({
          type,
          samplesIndex: nowMs * 8,
          timestamp: Date.now(),
          speechDuration: speaking ? nowMs - sinceMs : 0,
          silenceDuration: speaking ? 0 : nowMs - untilMs,
          frames: [value],
          probability: speaking ? 1 : 0,
          inferenceDuration: 0,
          speaking,
          rawAccumulatedSilence: speaking ? 0 : nowMs - untilMs,
          rawAccumulatedSpeech: speaking ? nowMs - sinceMs : 0,
        })
      if (found?.type === 'speech_started') {
        speaking = true
        sinceMs = found.sinceMs
        tell(VADEventType.START_OF_SPEECH)
      } else if (found) {
        speaking = false
        untilMs = found.untilMs
        tell(VADEventType.END_OF_SPEECH)
      }
      tell(VADEventType.INFERENCE_DONE)
    }
  }
}

class NoStt extends stt.STT {
  label = 'instant'
  constructor() {
    super({ streaming: true, interimResults: true })
  }
}
class NoLlm extends llm.LLM {
  label() {
    return 'instant'
  }
}
class NoTts extends tts.TTS {
  label = 'instant'
  constructor() {
    super(RATE_HZ, 1, { streaming: true })
  }
}

/** What the ear hears of each frame travels beside the sound, as it does for the other contenders. */
class Caller extends voice.Agent {
  constructor(words) {
    super({ instructions: 'Book a table.' })
    this.words = words
  }
  async onEnter() {
    this.session.generateReply()
  }
  async sttNode(audio) {
    const { words } = this
    return new ReadableStream({
      async start(controller) {
        for await (const frame of audio) {
          if (frame === undefined) continue
          for (let word = words.shift(); word; word = words.shift()) {
            const type = word.final ? stt.SpeechEventType.FINAL_TRANSCRIPT : stt.SpeechEventType.INTERIM_TRANSCRIPT
            controller.enqueue({
              type,
              alternatives: [{ language: 'en', text: word.text, startTime: 0, endTime: 0, confidence: 1 }],
            })
          }
        }
        controller.close()
      },
    })
  }
  async llmNode() {
    return ReadableStream.from([ANSWER])
  }
  async ttsNode(text) {
    return new ReadableStream({
      async start(controller) {
        for await (const _ of text);
        for (const frame of answerFrames) controller.enqueue(frame)
        controller.close()
      },
    })
  }
}

async function start(_index, punctuality) {
  const incoming = punctuality.stream(FRAME_MS)
  const outgoing = punctuality.stream(FRAME_MS, PAUSE_MS)
  const watch = { frameIn: (atMs) => incoming.came(atMs), frameOut: (atMs) => outgoing.came(atMs) }
  const carrier = benchCarrier(adapters.ticker, { utterances: UTTERANCES }, watch)
  const words = []
  let said = ''
  const input = new Input()
  const leg = carrier.dial({}, adapters.clock, (event) => {
    if (event.type !== 'frame') return
    const { audio, text } = event.frame
    if (text !== undefined) {
      said = `${said} ${text}`.trim()
      const final = /[.?]$/.test(text)
      words.push({ text: said, final })
      if (final) said = ''
    }
    const samples = decodeMulaw(audio)
    input.push(new AudioFrame(samples, RATE_HZ, 1, samples.length))
  })
  const session = new voice.AgentSession({
    vad: new LevelVad(),
    stt: new NoStt(),
    llm: new NoLlm(),
    tts: new NoTts(),
    turnDetection: 'vad',
  })
  session.input.audio = input
  session.output.audio = new Output((frame) => leg.send(frame))
  session.output.transcription = null
  await session.start({ agent: new Caller(words) })
  return () => {
    leg.hangUp()
    void session.close().catch(() => undefined)
  }
}

await runLadder(start, rungs.map(Number))
