import { FRAME_BYTES, SILENCE_BYTE } from '@parley/voice-ports'
import type { Sentence, Stop } from './sentence.ts'

/** What the agent says at once: sound and the places of its words, as far as they have come, been sent and been heard. */
export interface Output {
  readonly id: number
  readonly sounds: { readonly startByte: number; readonly audio: Uint8Array }[]
  readonly stops: Stop[]
  readonly sentences: Sentence[]
  bytes: number
  sentBytes: number
  /** Index of the sound that sentBytes lies in, or of one before it. */
  sentSounds: number
  /** Index of the sentence that sentBytes lies in, or of one before it. */
  sentSentences: number
  /** Where that sentence ends, as far as the next one has begun; 0 where it is to be looked for. */
  sentenceUntilByte: number
  sentenceIsPrivate: boolean
  /** Up to here frames are cut from `plainAudio` alone, with no word, hold or sentence on the way; 0: not known. */
  plainUntilByte: number
  plainStartByte: number
  plainAudio: Uint8Array
  sentStops: number
  heardStops: number
  finished: boolean
  startedMs: number | null
}

export function hasMore(output: Output): boolean {
  const stop = output.stops[output.sentStops]
  // A word may be known before its sound.
  return output.sentBytes < output.bytes || (stop !== undefined && stop.atByte <= output.bytes)
}

/** Moves on to the sentence that the next byte to be sent lies in. Returns whether that byte begins it. */
export function reachSentence(output: Output): boolean {
  const { sentences, sentBytes } = output
  if (sentBytes < output.sentenceUntilByte) return false
  while ((sentences[output.sentSentences + 1]?.startByte ?? Infinity) <= sentBytes) output.sentSentences++
  const sentence = sentences[output.sentSentences]
  output.sentenceUntilByte = sentences[output.sentSentences + 1]?.startByte ?? Infinity
  output.sentenceIsPrivate = sentence?.isPrivate ?? false
  return sentence?.startByte === sentBytes
}

/** Whether any of the bytes from the next one on belongs to a private sentence. */
export function isPrivateAt(output: Output, untilByte: number): boolean {
  const { sentences, sentSentences } = output
  // Mostly it is the sentence of the frame before, which need not be looked at again.
  if (untilByte <= output.sentenceUntilByte) return output.sentenceIsPrivate
  for (let at = sentSentences; at < sentences.length; at++) {
    const sentence = sentences[at]
    if (!sentence || sentence.startByte >= untilByte) return false
    if (sentence.isPrivate) return true
  }
  return false
}

/** Waits until the callee has heard what was sent. */
export function isHeld({ stops, sentStops, heardStops }: Output): boolean {
  return sentStops > heardStops && stops[sentStops - 1]?.holds === true
}

/** Where sending up to a byte ends, if a stop before it holds. */
export function untilHold({ stops, sentStops }: Output, untilByte: number): number {
  for (let at = sentStops; at < stops.length; at++) {
    const stop = stops[at]
    if (!stop || stop.atByte >= untilByte) break
    if (stop.holds) return stop.atByte
  }
  return untilByte
}

/** Looks how far the next frames are nothing but sound: they are most of all, and need none of the rest. */
export function lookAhead(output: Output): void {
  const around = output.sounds[output.sentSounds]
  output.plainUntilByte = 0
  if (!around || isHeld(output)) return
  const beforeStop = (output.stops[output.sentStops]?.atByte ?? Infinity) - 1
  output.plainUntilByte = Math.min(around.startByte + around.audio.length, output.sentenceUntilByte, beforeStop)
  output.plainStartByte = around.startByte
  output.plainAudio = around.audio
}

/** Whether the next frame is nothing but sound. */
export function isPlain({ sentBytes, plainUntilByte }: Output): boolean {
  return sentBytes + FRAME_BYTES <= plainUntilByte
}

/** 160 bytes of the output, mostly from within one of its sounds; padded to a whole frame with silence. */
export function cut(output: Output, fromByte: number, untilByte: number): Uint8Array {
  const { sounds } = output
  while ((sounds[output.sentSounds + 1]?.startByte ?? Infinity) <= fromByte) output.sentSounds++
  const around = sounds[output.sentSounds]
  if (around && untilByte - fromByte === FRAME_BYTES && untilByte <= around.startByte + around.audio.length)
    return around.audio.subarray(fromByte - around.startByte, untilByte - around.startByte)
  const frame = new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE)
  for (let at = output.sentSounds; at < sounds.length; at++) {
    const { startByte, audio } = sounds[at] ?? { startByte: untilByte, audio: frame }
    if (startByte >= untilByte) break
    const from = Math.max(fromByte, startByte)
    const until = Math.min(untilByte, startByte + audio.length)
    if (from < until) frame.set(audio.subarray(from - startByte, until - startByte), from - fromByte)
  }
  return frame
}
