/** The product's voices for espeak-ng: a speaker, a pitch in percent, a speed in words a minute. */
export interface VoiceShape {
  readonly variant: string
  readonly pitch: number
  readonly wordsPerMinute: number
}

const SHAPES: Readonly<Record<string, VoiceShape>> = {
  default: { variant: 'm1', pitch: 50, wordsPerMinute: 165 },
  professional: { variant: 'm3', pitch: 42, wordsPerMinute: 165 },
  friendly: { variant: 'f2', pitch: 58, wordsPerMinute: 172 },
  authoritative: { variant: 'm7', pitch: 30, wordsPerMinute: 155 },
  warm: { variant: 'f3', pitch: 45, wordsPerMinute: 160 },
}

const DEFAULT_SHAPE: VoiceShape = { variant: 'm1', pitch: 50, wordsPerMinute: 165 }

export function voiceShape(voiceId: string): VoiceShape {
  return SHAPES[voiceId] ?? DEFAULT_SHAPE
}
