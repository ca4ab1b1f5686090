import type { Call, CallDetails, LiveMessage, Turn } from '@parley/contract'
import { isLive, statusRank } from '../status.ts'

/** A call without its turns, as in lists. */
export function withoutWords(call: Call): CallDetails {
  return { ...call, turns: [], events: [], outcomes: [], told: [], legs: [], wordsKeptUntil: null, nextSteps: [] }
}

/** Applies a live message to its call; other calls stay unchanged. */
export function afterMessage(known: CallDetails, message: LiveMessage): CallDetails {
  if (message.type === 'transcript' && message.callId === known.id)
    return { ...known, turns: withTurn(known.turns, message.turn) }
  if (message.type === 'call_question' && message.callId === known.id)
    return { ...known, events: withQuestion(known.events, message.event) }
  if (message.type === 'call_status' && message.call.id === known.id && !isBehind(message.call, known))
    return { ...known, ...message.call }
  return known
}

/** A question that was read already is not repeated. */
function withQuestion(events: CallDetails['events'], asked: CallDetails['events'][number]): CallDetails['events'] {
  return events.some(({ at, question }) => at === asked.at && question === asked.question) ? events : [...events, asked]
}

/** Turns are sorted by index, and the latest message of an index wins: a turn grows, or is cut. */
function withTurn(turns: readonly Turn[], turn: Turn): Turn[] {
  return [...turns.filter(({ index }) => index !== turn.index), turn].toSorted((a, b) => a.index - b.index)
}

/**
 * Merges fetched details with the live messages that arrived during the fetch, because neither is complete alone.
 * After the end the stored call wins.
 */
export function afterReading(known: CallDetails | undefined, read: CallDetails): CallDetails {
  if (!known || !isLive(read)) return read
  if (isBehind(read, known))
    return {
      ...read,
      ...known,
      events: read.events,
      outcomes: read.outcomes,
      told: read.told,
      legs: read.legs,
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

/** The later of two states of a turn: a finished one, else the longer one. */
function further(known: Turn | undefined, read: Turn): Turn {
  if (!known || read.endMs !== null) return read
  return known.endMs !== null || known.text.length > read.text.length ? known : read
}

function isBehind(call: Call, known: Call): boolean {
  return statusRank(call.status) < statusRank(known.status)
}

/** The later of two states of a call. */
export function laterOf(known: Call, news: Call): Call {
  return isBehind(news, known) ? known : news
}

/** The running calls after a status message. */
export function runningAfter(running: readonly Call[], call: Call): Call[] {
  const known = running.find(({ id }) => id === call.id)
  if (!isLive(call)) return running.filter(({ id }) => id !== call.id)
  if (!known) return [call, ...running]
  return running.map((each) => (each === known ? laterOf(known, call) : each))
}
