import { folded, hasSafeDeferral } from '@parley/offline-mind'
import type { HeardTurn } from '@parley/voice-ports'
import type { AnswerRead, OrderReading } from '@parley/offline-mind'
import { WORDS } from './words/words.ts'

/** What the callee has offered and the agent may not agree to. */
export interface Standing {
  readonly offers: readonly AnswerRead[]
  /** The agent has left it to the user, and the callee has not pressed since. */
  readonly isLeft: boolean
  /** The callee named something else beside what the agent may agree to: which of them is agreed to must be said. */
  readonly isAmbiguous?: true
  /** It was offered, or pressed for, in the callee's last words. */
  readonly isFresh: boolean
}

/** Leaves what is on the table to the user. */
export const defers = (text: string): boolean =>
  hasSafeDeferral(text) || WORDS.some((words) => words.defers.test(folded(text)))

/** What stands on the table behind these turns; null where nothing does that is not the agent's to agree to. */
export function standingOffer(reading: OrderReading, turns: readonly HeardTurn[], objectives: number): Standing | null {
  let agent = ''
  return turns.reduce<Standing | null>((standing, { speaker, text }) => {
    if (speaker === 'user') return afterTurn(reading, standing, { text, agent, objectives })
    agent = text
    return standing && { ...standing, isLeft: standing.isLeft || defers(text), isFresh: false }
  }, null)
}

interface Heard {
  readonly text: string
  /** What the agent had said before. */
  readonly agent: string
  readonly objectives: number
}

function afterTurn(
  reading: OrderReading,
  before: Standing | null,
  { text, agent, objectives }: Heard,
): Standing | null {
  const isPressing = WORDS.some(({ presses }) => presses.test(folded(text)))
  // Without objectives it is the purpose that is asked for.
  const points = Array.from({ length: Math.max(1, objectives) }, (_, index) => ({
    index,
    read: reading.answer(index, text),
  }))
  const told = points.some(
    ({ index, read }) => !reading.isRequest(index) && read.type === 'tells' && reading.isAskedIn(index, agent),
  )
  const negotiated = points.filter(({ index }) => reading.isRequest(index) || isPressing)
  const open = negotiated.map(({ read }) => read).filter(isOutside)
  const good = points.filter(({ index, read }) => reading.isRequest(index) && !isOutside(read) && isGranting(read))
  const isNamed = good.some(({ index }) => reading.isAskedIn(index, text))
  if (open.length > 0 && good.length === 0 && !(told && !isPressing))
    return { offers: open, isLeft: false, isFresh: true }
  // Something else was named, in whatever words: it is no offer yet, and no yes to it may follow.
  const isSure = good.some(({ read }) => read.type === 'grants') || told
  const isOther = !isSure && negotiated.length > 0 && reading.forbidden(text).length > 0
  const isAmbiguous = good.length > 0 ? ({ isAmbiguous: true } as const) : {}
  if (isOther) return { offers: before?.offers ?? [], isLeft: false, isFresh: isPressing, ...isAmbiguous }
  if (isNamed) return null
  if (before && isPressing) return { ...before, isLeft: false, isFresh: true }
  return before
}

function isGranting({ type }: AnswerRead): boolean {
  return type === 'grants' || type === 'offers'
}

/** Offered, and not the agent's to agree to. */
function isOutside(read: AnswerRead): boolean {
  return isGranting(read) && read.permission === 'no'
}
