import type { HeardTurn } from '@parley/voice-ports'
import { extract } from '../hearing/extract.ts'
import type { Intent } from '../hearing/lexicon.ts'
import { plain, sentencesIn, wordCount } from '../hearing/text.ts'
import { understand } from '../hearing/understand.ts'
import type { Utterance } from '../bargaining/progress.ts'
import { currentTopic, type Talk } from './talk.ts'

/** Share of a question's words that makes it understood. */
const HEARD_SHARE = 0.6
/** A longer utterance is talking on. */
const ANSWER_WORDS_MAX = 14
/** Words at the start in which an answer shows. */
const LEAD_WORDS = 4
/** Shorter words occur in every sentence. */
const TELLING_WORD_LENGTH = 4
/** Replies talked over in a row before the callee is left to talk. */
const TALKED_OVER_MAX = 3
const LISTENING_TURNS_MAX = 64

/** Intents said in passing while speaking of other things. */
const IN_PASSING: readonly Intent[] = ['greeting', 'thanks', 'repeat', 'how_are_you']

/** What the callee has not heard of the pending reply: nothing, the question, or its lead as well. */
export function unheardShare(talk: Talk, utterance: Utterance): 'nothing' | 'question' | 'all' {
  const { memory } = talk
  if (memory.pending === 'nothing') return 'nothing'
  const spoken = talk.turns.filter(({ speaker }) => speaker === 'agent')
  const last = spoken.at(-1)
  const isLost = last === undefined || last.index < memory.spokenFrom
  if (last?.heard && !isLost) return 'nothing'
  const sentences = sentencesIn(memory.question)
  const question = sentences.at(-1) ?? ''
  const isAnswered = !talksOn(utterance) || isToThePoint(talk, utterance)
  if (!isLost && isAnswered && isHeard(talk, question, [last])) return 'nothing'
  return sentences.slice(0, -1).every((sentence) => isHeard(talk, sentence, spoken)) ? 'question' : 'all'
}

/** Whether enough of the telling words were heard, counted from the beginning. */
function isHeard({ memory }: Talk, sentence: string, turns: readonly HeardTurn[]): boolean {
  const words = plain(sentence).split(' ')
  const said = understand(sentence, memory.language).content
  const carriers = said.length > 0 ? said : words
  const texts = turns.map(({ text }) => plain(text))
  const length =
    words.findLastIndex((_, at) => texts.some((text) => text.includes(words.slice(0, at + 1).join(' ')))) + 1
  const heard = words.slice(0, length).filter((word) => carriers.includes(word))
  return heard.length >= Math.ceil(carriers.length * HEARD_SHARE)
}

function talksOn({ heard }: Utterance): boolean {
  return wordCount(heard.plain) > ANSWER_WORDS_MAX
}

/** Whether a long utterance is about the question or the call. */
function isToThePoint(talk: Talk, { heard }: Utterance): boolean {
  const { memory } = talk
  const topic = currentTopic(talk)
  if ([...heard.intents].some((intent) => !IN_PASSING.includes(intent))) return true
  if (understand(heard.plain.split(' ').slice(0, LEAD_WORDS).join(' '), memory.language).answer !== 'none') return true
  if (memory.pending === 'anything_else' || topic === undefined) return false
  const asked = plain(topic.subject).split(' ')
  if (heard.content.some((word) => word.length >= TELLING_WORD_LENGTH && asked.includes(word))) return true
  const types = [topic.expecting, ...topic.wants.map(({ type }) => type)]
  return extract(heard.text, memory.language, topic.expecting).some(
    ({ type }) => type !== 'count' && types.includes(type),
  )
}

/** Back-off for a callee who talks over every reply: tries again after 2, 4 and 8 turns. */
export function mayAskAgain({ memory }: Talk, utterance: Utterance): boolean {
  if (!talksOn(utterance)) {
    memory.listening = 0
    return true
  }
  if (memory.listening > 0) {
    memory.listening -= 1
    return memory.listening === 0
  }
  memory.talkedOver += 1
  if (memory.talkedOver < TALKED_OVER_MAX) return true
  memory.listening = Math.min(2 ** (memory.talkedOver - TALKED_OVER_MAX + 1), LISTENING_TURNS_MAX)
  return false
}

export function resetTalkedOver({ memory }: Talk): void {
  memory.talkedOver = 0
  memory.listening = 0
}
