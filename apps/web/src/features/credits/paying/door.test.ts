import { describe, expect, it, vi } from 'vitest'
import { stateAfterConfirming, stateOfResumed, stateWhileProcessing, type Answer, type CardDoor } from './door.ts'

const intent = (status: string): Answer => ({ kind: 'intent', id: 'pi_1', status })
const door = (confirmed: Answer, seen: Answer = intent('requires_payment_method')): CardDoor => ({
  confirm: async () => confirmed,
  look: async () => seen,
})
const failing = async () => Promise.reject(new Error('broken'))

// screens.md: pressing-button
describe('pressing the button', () => {
  it.each([
    ['a payment that went through', intent('succeeded'), { phase: 'success', intentId: 'pi_1' }],
    ['a bank that takes its time', intent('processing'), { phase: 'processing', isSettled: true }],
    ['fields that are not filled in', { kind: 'incomplete' }, { phase: 'initial' }],
    [
      'any other status',
      intent('requires_action'),
      {
        phase: 'error',
        title: 'Payment Error',
        message: 'Payment status: requires_action. Please try again.',
        isAnswered: true,
        isOver: false,
      },
    ],
    ['a payment that was called off', intent('canceled'), { phase: 'error', isOver: true }],
    [
      'a card that is declined',
      { kind: 'refused', message: 'Your card was declined.' },
      { phase: 'error', title: 'Payment Failed', message: 'Your card was declined.' },
    ],
    [
      'a refusal without a word',
      { kind: 'refused', message: undefined },
      { phase: 'error', message: 'Payment could not be processed' },
    ],
    [
      'a form that is still being drawn',
      { kind: 'form-not-ready' },
      { phase: 'error', message: 'Payment form not ready. Please wait a moment and try again.' },
    ],
    [
      'no answer',
      { kind: 'unreachable' },
      {
        phase: 'error',
        title: 'Payment Error',
        message: 'Unable to process payment. Please try again.',
        isAnswered: false,
      },
    ],
  ] as const)('%s', async (_, answer, state) => {
    expect(await stateAfterConfirming(door(answer))).toMatchObject(state)
  })

  it('without a system says so', async () => {
    expect(await stateAfterConfirming(null)).toMatchObject({
      message: 'Payment system not ready. Please refresh and try again.',
    })
  })

  it('that breaks says so', async () => {
    expect(await stateAfterConfirming({ confirm: failing, look: failing })).toMatchObject({
      title: 'Payment Error',
      message: 'An unexpected error occurred. Please try again.',
    })
  })

  it.each(['succeeded', 'processing'])('with the answer lost finds out that the payment is %s', async (status) => {
    const state = await stateAfterConfirming(door({ kind: 'unreachable' }, intent(status)))
    expect(state.phase).toBe(status === 'succeeded' ? 'success' : 'processing')
  })
})

describe('coming back to a payment', () => {
  it.each([
    ['succeeded', 'success'],
    ['processing', 'processing'],
    ['canceled', 'error'],
    ['requires_payment_method', 'initial'],
    ['requires_action', 'initial'],
  ])('that is %s shows %s', async (status, phase) => {
    expect((await stateOfResumed(door(intent('unused'), intent(status)))).phase).toBe(phase)
  })

  it('with the network away shows the form', async () => {
    expect(await stateOfResumed({ confirm: vi.fn<CardDoor['confirm']>(), look: failing })).toEqual({ phase: 'initial' })
  })
})

describe('waiting for the bank', () => {
  it('goes on while nothing is known', async () => {
    expect(await stateWhileProcessing(door(intent('unused'), { kind: 'unreachable' }))).toEqual({
      phase: 'processing',
      isSettled: true,
    })
    expect(await stateWhileProcessing({ confirm: failing, look: failing })).toEqual({
      phase: 'processing',
      isSettled: true,
    })
  })

  it('ends with the money', async () => {
    expect(await stateWhileProcessing(door(intent('unused'), intent('succeeded')))).toEqual({
      phase: 'success',
      intentId: 'pi_1',
    })
  })

  it('ends with the bank saying no, in its words', async () => {
    const refused: Answer = {
      kind: 'intent',
      id: 'pi_1',
      status: 'requires_payment_method',
      refusal: 'Your card was declined.',
    }
    expect(await stateWhileProcessing(door(intent('unused'), refused))).toMatchObject({
      title: 'Payment Failed',
      message: 'Your card was declined.',
    })
  })
})
