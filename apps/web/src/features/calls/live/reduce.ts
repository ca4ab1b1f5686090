import type { Call, CallDetails, LiveMessage, Turn } from '@parley/contract'
import { isLive, statusRank } from '../status.ts'

/** What is known of a call before its details were read: everything but its words. */
export function withoutWords(call: Call): CallDetails {
  return { ...call, turns: [], events: [], outcomes: [], wordsKeptUntil: null, nextSteps: [] }
}

/** A live message applied to the call it speaks of; any other leaves the call as it is. */
export function afterMessage(known: CallDetails, message: LiveMessage): CallDetails {
  if (message.type === 'transcript' && message.callId === known.id)
    return { ...known, turns: withTurn(known.turns, message.turn) }
  if (message.type === 'call_status' && message.call.id === known.id && !isBehind(message.call, known))
    return { ...known, ...message.call }
  return known
}

/** Turns stand by their index, and the last one sent under an index stands: so a turn grows word by word, or is cut. */
function withTurn(turns: readonly Turn[], turn: Turn): Turn[] {
  return [...turns.filter(({ index }) => index !== turn.index), turn].toSorted((a, b) => a.index - b.index)
}

/**
 * Details just read, joined with what was heard on the line while they were under way: neither alone is complete.
 * Once the call is over the server's record is.
 */
export function afterReading(known: CallDetails | undefined, read: CallDetails): CallDetails {
  if (!known || !isLive(read)) return read
  if (isBehind(read, known))
    return {
      ...read,
      ...known,
      events: read.events,
      outcomes: read.outcomes,
      nextSteps: read.nextSteps,
      turns: joined(known.turns, read.turns),
    }
  return { ...read, turns: joined(known.turns, read.turns) }
}

function joined(known: readonly Turn[], read: readonly Turn[]): Turn[] {
  const missing = known.filter(({ index }) => read.every((each) => each.index !== index))
  const both = read.map((turn) =>
    further(
      known.find(({ index }) => index === turn.index),
      turn,
    ),
  )
  return [...missing, ...both].toSorted((a, b) => a.index - b.index)
}

/** Of two states of one turn, the later: a finished one, else the longer one. */
function further(known: Turn | undefined, read: Turn): Turn {
  if (!known || read.endMs !== null) return read
  return known.endMs !== null || known.text.length > read.text.length ? known : read
}

function isBehind(call: Call, known: Call): boolean {
  return statusRank(call.status) < statusRank(known.status)
}

/** News of a call and what was known of it: whichever is further. */
export function laterOf(known: Call, news: Call): Call {
  return isBehind(news, known) ? known : news
}

/** The list of running calls after news of one of them. */
export function runningAfter(running: readonly Call[], call: Call): Call[] {
  const known = running.find(({ id }) => id === call.id)
  if (!isLive(call)) return running.filter(({ id }) => id !== call.id)
  if (!known) return [call, ...running]
  return running.map((each) => (each === known ? laterOf(known, call) : each))
}
