import type { Frame } from '@parley/voice-ports'
import { MediaError, type MediaEvent, type MediaOptions, type MediaSession, type OpenMedia } from '../media-port.ts'

export const SDP = [
  'v=0',
  'o=- 1 1 IN IP4 192.0.2.1',
  's=-',
  'c=IN IP4 192.0.2.1',
  't=0 0',
  'm=audio 40000 RTP/AVP 0',
  '',
].join('\r\n')

/** Media of a signalling test: keeps what it was given, and sends nothing. */
export class FakeMedia implements MediaSession {
  readonly options: MediaOptions
  readonly accepted: string[] = []
  readonly answered: string[] = []
  readonly sent: Frame[] = []
  offers = 0
  packets = 0
  closed = false

  constructor(options: MediaOptions) {
    this.options = options
  }

  emit(event: MediaEvent): void {
    this.options.onEvent(event)
  }

  offer(): string {
    this.offers++
    return SDP
  }

  accept(answer: string): void {
    if (!answer.includes('m=audio')) throw new MediaError('The answer has no sound that can be used.')
    this.accepted.push(answer)
  }

  answer(offer: string): string {
    if (!offer.includes('m=audio')) throw new MediaError('The offer has no sound that can be used.')
    this.answered.push(offer)
    return SDP
  }

  send(frame: Frame): void {
    this.sent.push(frame)
  }

  mark(name: string): void {
    this.emit({ type: 'mark', name })
  }

  clear(): void {}

  sendDigits(): void {}

  get stats() {
    return {
      sent: { packets: this.sent.length, bytes: 0 },
      received: { packets: this.packets, bytes: 0 },
      lost: 0,
      late: 0,
      concealed: 0,
      discarded: { malformed: 0, wrongSource: 0, replayed: 0 },
      jitterMs: 0,
      rttMs: null,
    }
  }

  close(): void {
    this.closed = true
  }
}

/** Opens fake media, and lists what was opened. */
export function fakeMedia(): { readonly openMedia: OpenMedia; readonly opened: FakeMedia[] } {
  const opened: FakeMedia[] = []
  return {
    opened,
    openMedia: (options) => {
      const media = new FakeMedia(options)
      opened.push(media)
      return Promise.resolve(media)
    },
  }
}
