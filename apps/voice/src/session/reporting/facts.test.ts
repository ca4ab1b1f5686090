import { type FactBody, OWNER_QUESTION_MAX, vaultMask } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { anOrder, quietLog, virtualTime } from '../testing/fakes.ts'
import { CallFacts } from './facts.ts'

function stageFacts() {
  const added: FactBody[] = []
  const report = { add: (body: FactBody) => void added.push(body), flushed: () => Promise.resolve() }
  const vault = [{ name: 'booking number', value: '5571', condition: { when: 'asked' } } as const]
  const order = anOrder({ record: true, askToRecord: true, vault })
  const facts = new CallFacts(order, { clock: virtualTime().clock, report, log: quietLog() })
  return { facts, questions: () => added.flatMap((fact) => (fact.type === 'asks_owner' ? [fact.question] : [])) }
}

describe('a question for the owner', () => {
  it('is told without a private value, and cut to what the contract takes', () => {
    const { facts, questions } = stageFacts()
    facts.asksOwner('Is 5571 still right?')
    facts.asksOwner('a'.repeat(OWNER_QUESTION_MAX + 1))
    expect(questions()).toEqual([`Is ${vaultMask('booking number')} still right?`, 'a'.repeat(OWNER_QUESTION_MAX)])
  })

  it('is not told where the callee refused that anything is kept', () => {
    const { facts, questions } = stageFacts()
    facts.consent(false)
    facts.asksOwner('Is nine fine?')
    expect(questions()).toEqual([])
  })
})
