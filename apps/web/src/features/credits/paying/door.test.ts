import { describe, expect, it, vi } from 'vitest'
import { stateAfterConfirming, stateOfResumed, stateWhileProcessing, type Answer, type CardDoor } from './door.ts'

const intent = (status: string): Answer => ({ kind: 'intent', id: 'pi_1', status })
const door = (confirmed: Answer, seen: Answer = intent('requires_payment_method')): CardDoor => ({
  confirm: async () => confirmed,
  look: async () => seen,
})
const failing = async () => Promise.reject(new Error('broken'))

// screens.md: pressing-button
describe('state after confirming', () => {
  it.each([
    ['a succeeded payment', intent('succeeded'), { phase: 'success', intentId: 'pi_1' }],
    ['a processing payment', intent('processing'), { phase: 'processing', isSettled: true }],
    ['incomplete fields', { kind: 'incomplete' }, { phase: 'initial' }],
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
    ['a canceled payment', intent('canceled'), { phase: 'error', isOver: true }],
    [
      'a declined card',
      { kind: 'refused', message: 'Your card was declined.' },
      { phase: 'error', title: 'Payment Failed', message: 'Your card was declined.' },
    ],
    [
      'a refusal without a message',
      { kind: 'refused', message: undefined },
      { phase: 'error', message: 'Payment could not be processed' },
    ],
    [
      'a form that is not ready',
      { kind: 'form-not-ready' },
      { phase: 'error', message: 'Payment form not ready. Please wait a moment and try again.' },
    ],
    [
      'a lost response',
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

  it('without a payment system is an error', async () => {
    expect(await stateAfterConfirming(null)).toMatchObject({
      message: 'Payment system not ready. Please refresh and try again.',
    })
  })

  it('after an exception is an error', async () => {
    expect(await stateAfterConfirming({ confirm: failing, look: failing })).toMatchObject({
      title: 'Payment Error',
      message: 'An unexpected error occurred. Please try again.',
    })
  })

  it.each(['succeeded', 'processing'])('after a lost response is read from the payment: %s', async (status) => {
    const state = await stateAfterConfirming(door({ kind: 'unreachable' }, intent(status)))
    expect(state.phase).toBe(status === 'succeeded' ? 'success' : 'processing')
  })
})

describe('state of a resumed payment', () => {
  it.each([
    ['succeeded', 'success'],
    ['processing', 'processing'],
    ['canceled', 'error'],
    ['requires_payment_method', 'initial'],
    ['requires_action', 'initial'],
  ])('%s is %s', async (status, phase) => {
    expect((await stateOfResumed(door(intent('unused'), intent(status)))).phase).toBe(phase)
  })

  it('without network is the form', async () => {
    expect(await stateOfResumed({ confirm: vi.fn<CardDoor['confirm']>(), look: failing })).toEqual({ phase: 'initial' })
  })
})

describe('state while processing', () => {
  it('stays processing while the payment is unknown', async () => {
    expect(await stateWhileProcessing(door(intent('unused'), { kind: 'unreachable' }))).toEqual({
      phase: 'processing',
      isSettled: true,
    })
    expect(await stateWhileProcessing({ confirm: failing, look: failing })).toEqual({
      phase: 'processing',
      isSettled: true,
    })
  })

  it('becomes success when the payment succeeded', async () => {
    expect(await stateWhileProcessing(door(intent('unused'), intent('succeeded')))).toEqual({
      phase: 'success',
      intentId: 'pi_1',
    })
  })

  it('becomes an error with the bank’s reason when refused', async () => {
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
