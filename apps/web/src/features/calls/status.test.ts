import type { CallDetails } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { headlineOf, isBeingWrittenUp, isBrokenOff, objectivesOf, phaseText } from './status.ts'
import { aCall } from './testing.ts'

const met = { objective: 'Table at 7 pm', status: 'met', quote: 'Seven is fine.', turn: 3 } as const
const open = { objective: 'Vegetarian menu', status: 'open', quote: null, turn: null } as const

describe('phase of a call', () => {
  it('has a label', () => {
    expect(phaseText(aCall({ phase: 'waiting for calling hours' }))).toBe('Waiting for calling hours')
    expect(phaseText(aCall({ phase: 'objective 2 of 2' }))).toBe('On “Vegetarian menu”')
    expect(phaseText(aCall({ phase: 'ended: no answer' }))).toBe('Ended: no answer')
  })

  it('is shown raw when unknown', () => {
    expect(phaseText(aCall({ phase: 'objective 9 of 9' }))).toBe('objective 9 of 9')
    expect(phaseText(aCall({ phase: 'ended: constructor' }))).toBe('ended: constructor')
    expect(phaseText(aCall({ phase: 'being transferred' }))).toBe('being transferred')
  })
})

describe('objectives of a call', () => {
  it('are pending during the call until settled', () => {
    const states = objectivesOf(aCall({ status: 'in_progress', outcomes: [met, open] }))
    expect(states.map(({ status }) => status)).toEqual(['met', 'pending'])
  })

  it('are met, refused or open after the call', () => {
    const states = objectivesOf(aCall({ status: 'completed', outcomes: [met] }))
    expect(states.map(({ status }) => status)).toEqual(['met', 'open'])
  })
})

describe('headline of an ended call', () => {
  it('counts the objectives met', () => {
    expect(headlineOf(aCall({ status: 'completed', outcomes: [met, open] }))).toBe('1 of 2 objectives met')
    expect(headlineOf(aCall({ status: 'completed', outcomes: [met, { ...open, status: 'met' }] }))).toBe(
      'Both objectives met',
    )
    expect(headlineOf(aCall({ status: 'completed', outcomes: [] }))).toBe('Neither objective met')
    expect(headlineOf(aCall({ status: 'completed', objectives: ['Table at 7 pm'], outcomes: [met] }))).toBe(
      'The objective is met',
    )
  })

  it('counts "met within limits" as met and an offer as to decide', () => {
    const offered = { ...open, status: 'offered', offer: 'a set menu' } as const
    const within = { ...met, status: 'met_within_limits', offer: 'half past seven' } as const
    const headline = (...outcomes: CallDetails['outcomes']) => headlineOf(aCall({ status: 'completed', outcomes }))
    expect(headline(within, { ...open, status: 'met' })).toBe('Both objectives met')
    expect(headline(met, offered)).toBe('1 of 2 objectives met, 1 offer to decide')
    expect(headline({ ...met, status: 'refused' }, offered)).toBe('1 offer to decide')
    expect(headline({ ...met, status: 'offered' }, offered)).toBe('2 offers to decide')
  })

  it('is the end message of a failed call', () => {
    expect(headlineOf(aCall({ status: 'failed', endMessage: 'The line was busy.' }))).toBe('The line was busy.')
  })

  it('adds the objectives met before the network dropped the call', () => {
    const dropped = aCall({
      status: 'failed',
      endReason: 'carrier_dropped',
      endMessage: 'The network dropped the call.',
      outcomes: [met],
    })
    expect(headlineOf(dropped)).toBe('The network dropped the call. 1 of 2 objectives met')
  })
})

describe('a call is broken off', () => {
  it('when it failed after the callee spoke', () => {
    const dropped = { status: 'failed', endReason: 'carrier_dropped', transcript: 'Agent: Hello.\nUser: Yes?' } as const
    expect(isBrokenOff(aCall(dropped))).toBe(true)
    expect(isBrokenOff(aCall({ ...dropped, transcript: '' }))).toBe(false)
    expect(isBrokenOff(aCall({ ...dropped, status: 'completed', endReason: 'agent_closed' }))).toBe(false)
    expect(isBrokenOff(aCall({ status: 'failed', endReason: 'busy', transcript: null }))).toBe(false)
  })
})

describe('a call is being written up', () => {
  it('for at most 1 minute after its completion, until it has a summary', () => {
    const call = aCall({ status: 'completed', completedAt: '2026-11-21T09:05:00.000Z' })
    const endedAt = Date.parse('2026-11-21T09:05:00.000Z')
    expect(isBeingWrittenUp(call, endedAt + 5000)).toBe(true)
    expect(isBeingWrittenUp(call, endedAt + 61_000)).toBe(false)
    expect(isBeingWrittenUp({ ...call, summary: 'A table is booked.' }, endedAt)).toBe(false)
    expect(isBeingWrittenUp({ ...call, status: 'failed' }, endedAt)).toBe(false)
  })
})
