import { CALL_MINUTES_DEFAULT, CAPABILITIES, type Tone } from '@parley/contract'
import { words } from '../../../words/index.ts'
import type { Manner } from '../placing/callForm.ts'

export interface BuiltInTemplate extends Manner {
  readonly name: string
}

const TONES_OF: Readonly<Record<(typeof CAPABILITIES)[number], Tone>> = {
  'negotiate hotel stays': 'professional',
  'survey businesses and individuals': 'friendly',
  'call friends and family': 'casual',
  'generate business leads': 'professional',
  'amend bookings': 'professional',
  'send reminders': 'friendly',
  'make restaurant reservations': 'friendly',
}

/** A built-in template for each capability of the landing page. */
export function builtInTemplates(): BuiltInTemplate[] {
  const { ready } = words().templates
  return CAPABILITIES.map((capability) => ({
    ...ready[capability],
    objectives: [...ready[capability].objectives],
    tone: TONES_OF[capability],
    maxDurationMinutes: CALL_MINUTES_DEFAULT,
    context: {},
    language: 'auto',
  }))
}
