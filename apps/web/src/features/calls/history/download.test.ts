import { expect, it } from 'vitest'
import { exactTime } from '../../../lib/format.ts'
import { aCall } from '../testing.ts'
import { transcriptName, transcriptText } from './download.ts'

const call = aCall({
  status: 'completed',
  durationSeconds: 64,
  transcript: 'Agent: Good evening. Am I speaking to User: Smith?\nUser: Yes, hello.\nAgent: Thank you.',
})

it('heads a transcript with callee, date, duration and status, and calls the other side Callee', () => {
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

it('names the file by callee and date', () => {
  expect(transcriptName(call)).toBe('transcript-+12025550100-2026-11-21.txt')
})
