import type { CallDetails, Turn } from '@parley/contract'

/** A call for tests, with the given changes. */
export function aCall(named: Partial<CallDetails> = {}): CallDetails {
  return {
    id: 'call-1',
    userId: 'user-1',
    batchId: null,
    callee: '+12025550100',
    from: null,
    purpose: 'Book a table for four',
    objectives: ['Table at 7 pm', 'Vegetarian menu'],
    mandates: [],
    vault: [],
    tone: 'friendly',
    maxDurationMinutes: 5,
    context: {},
    language: 'auto',
    status: 'initiated',
    phase: 'queued',
    transcript: null,
    summary: null,
    durationSeconds: null,
    creditsHeld: 5,
    creditsCharged: null,
    endReason: null,
    endMessage: null,
    offers: 0,
    notes: null,
    tags: [],
    hasRecording: false,
    clockSpeed: 1,
    isTest: false,
    createdAt: '2026-11-21T08:59:00.000Z',
    connectedAt: null,
    completedAt: null,
    turns: [],
    events: [],
    wordsKeptUntil: null,
    outcomes: [],
    told: [],
    legs: [],
    nextSteps: [],
    ...named,
  }
}

export function aTurn(index: number, text: string, endMs: number | null): Turn {
  return {
    index,
    text,
    speaker: index % 2 === 0 ? 'agent' : 'user',
    startMs: index * 1000,
    endMs,
    heard: endMs !== null,
  }
}
