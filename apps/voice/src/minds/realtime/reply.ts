import { type Asked, type MindEvent, withoutMarkup } from '@parley/voice-ports'
import { z } from 'zod'
import { type Line, type LineEvent, type LineQuestion, LostSession } from './line.ts'
import { deedsOf } from './tools.ts'

/** Replies that are remembered; older ones are long settled at the vendor. */
const USED_MAX = 40

const Memory = z.object({ used: z.array(z.string()).max(USED_MAX) })

/** The replies of this call that were used. */
export function usedReplies(memory: unknown): readonly string[] {
  return Memory.safeParse(memory).data?.used ?? []
}

export interface ReplyParts {
  readonly line: Line
  readonly asked: Asked
  readonly signal: AbortSignal
  readonly replyId: string
  readonly model: string
}

type HangUp = Extract<MindEvent, { type: 'hang_up' }>

/** These are an answer without a word. */
const ACTS: readonly MindEvent['type'][] = ['press', 'transfer', 'wait', 'ask_owner']

/** One reply of a line, as the port has it. */
export async function* replyOf({ line, asked, signal, replyId, model }: ReplyParts): AsyncGenerator<MindEvent> {
  const used = usedReplies(asked.memory)
  const question: LineQuestion = { replyId, used, state: asked, cue: asked.cue, again: false }
  let hangUp = closingOf(asked)
  let isSpoken = false
  let acts = false
  for (const again of [false, true]) {
    let usesTools = false
    for await (const event of askedTwice(line, { ...question, again }, signal)) {
      if (signal.aborted) return
      if (event.type === 'tool') {
        usesTools = true
        for (const deed of deedsOf(event.name, event.given, asked)) {
          acts ||= ACTS.includes(deed.type)
          // Known to the turns before it is spoken, and still the last of its reply.
          if (deed.type === 'hang_up') hangUp ??= deed
          else yield deed
        }
      } else if (event.type === 'usage') yield { ...event, model }
      else {
        yield event.type === 'text' ? { type: 'say', text: event.delta } : event
        isSpoken ||= event.type === 'sound' || withoutMarkup(event.delta) !== ''
      }
    }
    // Tools alone are no reply: without them the model goes on, once.
    if (signal.aborted || isSpoken || acts || !usesTools) break
  }
  if (signal.aborted) return
  if (!isSpoken && !acts && !hangUp) throw new Error('The reply was empty.')
  if (hangUp) yield hangUp
  yield { type: 'memory', memory: { used: [...used, replyId].slice(-USED_MAX) } }
}

/** A session that broke before a word is opened again, once. */
async function* askedTwice(line: Line, question: LineQuestion, signal: AbortSignal): AsyncGenerator<LineEvent> {
  for (const isLast of [false, true]) {
    let hasBegun = false
    try {
      for await (const event of line.ask(question, signal)) {
        hasBegun = true
        yield event
      }
      return
    } catch (error) {
      if (isLast || hasBegun || !(error instanceof LostSession) || line.isGivenUp) throw error
    }
  }
}

/** These cues end the call whether or not the model says so. */
function closingOf({ cue }: Asked): HangUp | null {
  if (cue.type === 'time_nearly_up') return { type: 'hang_up', reason: 'time_limit' }
  return cue.type === 'voicemail' ? { type: 'hang_up', reason: 'voicemail' } : null
}
