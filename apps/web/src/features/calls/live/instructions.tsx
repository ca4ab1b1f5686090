import type { ReactElement } from 'react'

/** An instruction given to the agent during a call, and the turn it followed. */
export interface Instruction {
  readonly callId: string
  readonly text: string
  readonly afterTurn: number
  /** Its index among all instructions, since a text may repeat. */
  readonly place: number
}

export function withInstruction(
  earlier: readonly Instruction[],
  instruction: Omit<Instruction, 'place'>,
): readonly Instruction[] {
  return [...earlier, { ...instruction, place: earlier.length }]
}

/** The instructions to show after a turn; -1: before the first. */
export function instructionsAfter(
  turn: number,
  instructions: readonly Instruction[],
  label: string,
): readonly ReactElement[] {
  return instructions
    .filter(({ afterTurn }) => afterTurn === turn)
    .map(({ text, place }) => (
      <p key={place} className="rounded-base bg-live-soft px-3.5 py-2 text-sm text-live">
        <span className="font-medium">{label}:</span> {text}
      </p>
    ))
}
