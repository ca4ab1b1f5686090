import { afterEach, expect, it, vi } from 'vitest'
import { exactTime } from '../../../lib/format/format.ts'
import { aCall } from '../testing.ts'
import { transcriptName, transcriptText } from './download.ts'

afterEach(() => vi.unstubAllEnvs())

const call = aCall({
  status: 'completed',
  durationSeconds: 64,
  transcript: 'Agent: Good evening. Am I speaking to User: Smith?\nUser: Yes, hello.\nAgent: Thank you.',
})

// screens.md: heads-transcript-callee-date
it('starts a transcript with callee, date, duration and status, and labels the user as Callee', () => {
  expect(transcriptText(call)).toBe(`Call Transcript
Callee: +1 202 555 0100
Date: ${exactTime(call.createdAt)}
Duration: 1m 4s
Status: completed

Agent: Good evening. Am I speaking to User: Smith?
Callee: Yes, hello.
Agent: Thank you.
`)
})

// screens.md: names-file-callee-date
it('names the file by callee and local date', () => {
  expect(transcriptName(call)).toBe('transcript-+12025550100-2026-11-21.txt')
  vi.stubEnv('TZ', 'Pacific/Auckland')
  expect(transcriptName(aCall({ createdAt: '2026-11-21T18:59:00.000Z' }))).toBe(
    'transcript-+12025550100-2026-11-22.txt',
  )
})
