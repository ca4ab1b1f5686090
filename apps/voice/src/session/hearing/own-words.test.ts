import { describe, expect, it } from 'vitest'
import { OwnWords } from './own-words.ts'

/** The agent says one word every 300 ms until `nowMs`; its frames go out all the while. */
function agentSays(text: string) {
  const own = new OwnWords()
  const words = text.split(' ')
  words.forEach((_, at) => {
    own.said(words.slice(0, at + 1).join(' '), (at + 1) * 300)
  })
  return { own, endMs: words.length * 300 }
}

const QUESTION = 'Would Friday at seven in the evening be possible?'
const started = (sinceMs: number) => ({ type: 'speech_started', sinceMs }) as const
const stopped = (untilMs: number) => ({ type: 'speech_stopped', untilMs }) as const

describe('the words of an echo', () => {
  it('are removed where no voice was detected', () => {
    const { own, endMs } = agentSays(QUESTION)
    expect(own.without('evening be', false, endMs + 700)).toBe('')
    expect(own.without('Evening be possible.', true, endMs + 900)).toBe('')
  })

  it('are removed where the voice began while the agent spoke', () => {
    const { own, endMs } = agentSays(QUESTION)
    own.activity(started(700), endMs)
    expect(own.without('Would', false, 1500)).toBe('')
    expect(own.without('would Friday at seven', false, endMs)).toBe('')
    expect(own.without('Would Friday at seven in this evening be possible?', true, endMs + 1500)).toBe('')
  })

  it("are removed ahead of the callee's own", () => {
    const { own, endMs } = agentSays(QUESTION)
    own.activity(started(endMs - 600), endMs)
    expect(own.without('in the evening be possible', false, endMs)).toBe('')
    expect(own.without('in the evening be possible yes it', false, endMs + 3000)).toBe('yes it')
    expect(own.without('In the evening be possible? Yes, it would.', true, endMs + 6000)).toBe('Yes, it would.')
  })
})

describe("the callee's words", () => {
  it('are kept when they repeat the question after it', () => {
    const { own, endMs } = agentSays(QUESTION)
    own.activity(started(endMs + 500), endMs)
    expect(own.without('Friday at seven', false, endMs + 1400)).toBe('Friday at seven')
    own.activity(stopped(endMs + 1500), endMs)
    expect(own.without('Friday at seven.', true, endMs + 1800)).toBe('Friday at seven.')
  })

  it('are kept when they are long after the same words of the agent', () => {
    const { own, endMs } = agentSays(QUESTION)
    expect(own.without('evening be possible', true, endMs + 3000)).toBe('evening be possible')
  })

  it('are kept when they are one word over the agent, once it is final', () => {
    const { own, endMs } = agentSays('Is eight okay?')
    own.activity(started(endMs - 200), endMs)
    expect(own.without('Okay.', true, endMs + 100)).toBe('Okay.')
  })

  it('are kept when they are other words over the agent', () => {
    const { own, endMs } = agentSays(QUESTION)
    own.activity(started(900), endMs)
    expect(own.without('No wait a moment', false, endMs)).toBe('No wait a moment')
  })

  it('are kept after an echo was settled', () => {
    const { own, endMs } = agentSays(QUESTION)
    own.without('be possible', false, endMs + 700)
    own.settled()
    own.activity(started(endMs + 1000), endMs)
    expect(own.without('Be possible', false, endMs + 1500)).toBe('Be possible')
  })
})
