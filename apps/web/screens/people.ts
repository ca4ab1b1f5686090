import {
  accountsRoutes,
  batchesRoutes,
  type Call,
  type CallDetails,
  callerNumbersRoutes,
  callsRoutes,
  type Contact,
  consentRoutes,
  contactsRoutes,
  creditsRoutes,
  type Health,
  noticesRoutes,
  reportsRoutes,
  securityRoutes,
  SETTINGS_DEFAULTS,
  systemRoutes,
  templatesRoutes,
  type User,
  confirmationsRoutes,
} from '@parley/contract'
import type { FakeApi } from './api.ts'

export const ADA: User = {
  id: 'user-ada',
  name: 'Ada Lovelace',
  fullName: 'Ada Lovelace',
  firstName: 'Ada',
  email: 'ada@parley.example',
  pendingEmail: null,
  phone: null,
  companyName: null,
  timezone: 'Europe/London',
  creditBalance: '10',
  creditsHeld: 0,
  emailVerified: true,
  createdAt: '2026-01-02T10:00:00.000Z',
}

export const NO_FIGURES = {
  answered: 0,
  voicemail: 0,
  no_answer: 0,
  failed: 0,
  seconds: 0,
  credits: 0,
  met: 0,
  met_within_limits: 0,
  offered: 0,
  refused: 0,
  open: 0,
}

const HEALTH: Health = {
  status: 'ok',
  version: 'test',
  parts: { database: 'ok', voice: 'ok', carrier: 'ok', mind: 'ok', payments: 'ok', mail: 'ok', disk: 'ok' },
}

/** A completed call, with the given changes. */
export function aCall(change: Partial<CallDetails> = {}): CallDetails {
  return {
    id: 'call-1',
    userId: ADA.id,
    batchId: null,
    callee: '+12025550100',
    from: null,
    purpose: 'Book a table for two at 7 pm',
    objectives: ['A table for two at 7 pm'],
    mandates: [],
    vault: [],
    tone: 'professional',
    maxDurationMinutes: 5,
    context: {},
    language: 'en',
    status: 'completed',
    phase: 'closing',
    transcript: 'Agent: Hello, this is Parley.\nUser: A table at seven is fine.',
    summary: 'The table for two at 7 pm is booked.',
    durationSeconds: 65,
    creditsHeld: 5,
    creditsCharged: 2,
    endReason: 'agent_closed',
    endMessage: null,
    offers: 0,
    notes: null,
    tags: [],
    hasRecording: false,
    clockSpeed: 1,
    isTest: false,
    createdAt: '2026-11-20T10:00:00.000Z',
    connectedAt: '2026-11-20T10:00:05.000Z',
    completedAt: '2026-11-20T10:01:10.000Z',
    turns: [
      { index: 0, speaker: 'agent', text: 'Hello, this is Parley.', startMs: 0, endMs: 2000, heard: true },
      { index: 1, speaker: 'user', text: 'A table at seven is fine.', startMs: 2500, endMs: 4500, heard: true },
    ],
    events: [],
    wordsKeptUntil: null,
    outcomes: [
      { objective: 'A table for two at 7 pm', status: 'met', quote: 'A table at seven is fine.', turn: 1, offer: null },
    ],
    told: [],
    legs: [],
    nextSteps: [],
    ...change,
  }
}

/** The call as in lists. */
export function listed({
  turns: _t,
  events: _e,
  wordsKeptUntil: _w,
  outcomes: _o,
  told: _told,
  legs: _l,
  nextSteps: _n,
  ...call
}: CallDetails): Call {
  return call
}

export function aContact(change: Partial<Contact> = {}): Contact {
  return {
    id: 'contact-1',
    userId: ADA.id,
    name: 'Grace Hopper',
    phone: '+12025550101',
    email: null,
    company: null,
    title: null,
    notes: null,
    tags: [],
    totalCalls: 0,
    successfulCalls: 0,
    createdAt: '2026-11-01T10:00:00.000Z',
    ...change,
  }
}

/** Every response that the screens need, for a new account. */
export function answersOf(api: FakeApi, user: User | null): void {
  if (user) api.answer(accountsRoutes.currentUser, user)
  else api.refuse(accountsRoutes.currentUser, 'unauthenticated')
  // Requested after any lost request; healthy by default.
  api.answer(systemRoutes.health, HEALTH)
  api.answer(systemRoutes.preflight, { ready: true, obstacle: null, testNumbers: false })
  api.answer(accountsRoutes.getSettings, SETTINGS_DEFAULTS)
  api.answer(reportsRoutes.stats, { totalCalls: 0, successRate: 0, avgDuration: 0, creditsUsed: 0 })
  api.answer(reportsRoutes.calls, [])
  api.answer(reportsRoutes.summaries, [])
  api.answer(reportsRoutes.analytics, {
    from: '2026-11-01',
    until: '2026-11-02',
    timezone: 'Europe/London',
    totals: { ...NO_FIGURES, calls: 0, running: 0 },
    days: [
      { date: '2026-11-01', ...NO_FIGURES },
      { date: '2026-11-02', ...NO_FIGURES },
    ],
    hours: [],
  })
  api.answer(callsRoutes.active, [])
  api.answer(callsRoutes.reading, { objectives: [] })
  api.answer(templatesRoutes.list, [])
  api.answer(batchesRoutes.list, [])
  api.answer(consentRoutes.list, [])
  api.answer(contactsRoutes.list, [])
  api.answer(contactsRoutes.tags, [])
  api.answer(contactsRoutes.duplicates, [])
  api.answer(creditsRoutes.paymentsConfig, {
    mode: 'sandbox',
    publishableKey: 'pk_test_parley',
    apiUrl: 'https://sandbox.example',
  })
  api.answer(creditsRoutes.payments, [])
  api.answer(creditsRoutes.usage, { days: [], totals: { calls: 0, seconds: 0, credits: 0 } })
  api.answer(creditsRoutes.autoTopUp, { settings: null, card: null, problem: null })
  api.answer(creditsRoutes.createPaymentIntent, { clientSecret: 'pi_1_secret_1' })
  api.answer(creditsRoutes.createSetupIntent, { clientSecret: 'seti_1_secret_1' })
  api.answer(creditsRoutes.statement, [])
  api.answer(confirmationsRoutes.readStepUp, { ways: ['password'], until: null })
  api.answer(noticesRoutes.webhook, { url: null, secret: null, events: [] })
  api.answer(noticesRoutes.deliveries, [])
  api.answer(securityRoutes.secondFactor, { enabled: false, recoveryCodesLeft: 0 })
  api.answer(securityRoutes.sessions, [])
  api.answer(securityRoutes.apiKeys, [])
  api.answer(callerNumbersRoutes.list, { numbers: [], verification: null })
  api.answer(securityRoutes.passkeys, [])
  api.answer(securityRoutes.securityActivity, [])
  api.answer(securityRoutes.exports, [])
}
