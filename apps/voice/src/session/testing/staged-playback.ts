import { type Frame, FRAME_MS, type Leg } from '@parley/voice-ports'
import { Playback } from '../speaking/playback.ts'
import { steadySpeech, virtualTime } from './fakes.ts'

interface Sent {
  readonly atMs: number
  readonly frame: Frame
}

/** A leg that plays what it gets one frame later and says so, unless it is told to keep its marks. */
export function stagePlayback({ text = true, losesMarks = false } = {}) {
  const { clock, ticker } = virtualTime()
  const sent: Sent[] = []
  const log: string[] = []
  let generation = 0
  const leg: Leg = {
    capabilities: { playout: 'ours', text, digits: true, transfer: true, machineDetection: true, silence: 'left_out' },
    send: (frame) => void sent.push({ atMs: clock.nowMs(), frame }),
    mark: (name) => {
      const sentIn = generation
      if (!losesMarks) clock.after(FRAME_MS, () => (sentIn === generation ? playback.marked(name) : undefined))
    },
    clear: () => void generation++,
    sendDigits: () => undefined,
    transfer: () => undefined,
    hangUp: () => undefined,
  }
  const heard: string[] = []
  const playback = new Playback({
    clock,
    ticker,
    leg,
    events: {
      heard: (words, _, estimated) => void heard.push(estimated ? `~ ${words}` : words),
      itemHeard: (itemId, heardMs) => void log.push(`${itemId} heard for ${heardMs} ms`),
      played: (id) => void log.push(`played ${id} at ${clock.nowMs()}`),
      stalled: (id) => void log.push(`stalled ${id}`),
    },
  })
  const say = (id: number, sentence: string) => {
    const { audio, words } = steadySpeech(sentence)
    playback.sentence(id, { text: sentence, gap: ' ' }, true)
    playback.sound(id, { audio: audio.fill(0x20), words })
    playback.sentenceDone(id)
  }
  return { clock, playback, sent, heard, log, say }
}
