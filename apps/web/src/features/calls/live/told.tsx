import type { ReactElement } from 'react'

/** An instruction given to the agent in mid-call, and after which turn. */
export interface Told {
  readonly callId: string
  readonly text: string
  readonly afterTurn: number
  /** Among all that was told: the same may be said twice. */
  readonly place: number
}

export function withTold(earlier: readonly Told[], instruction: Omit<Told, 'place'>): readonly Told[] {
  return [...earlier, { ...instruction, place: earlier.length }]
}

/** What the transcript shows after a turn of what was told then; -1 is before the first. */
export function toldAfter(turn: number, told: readonly Told[], label: string): readonly ReactElement[] {
  return told
    .filter(({ afterTurn }) => afterTurn === turn)
    .map(({ text, place }) => (
      <p key={place} className="rounded-base bg-live-soft px-3.5 py-2 text-sm text-live">
        <span className="font-medium">{label}:</span> {text}
      </p>
    ))
}
