import type { Call, CallDetails } from '@parley/contract'
import { saveText } from '../../../lib/files.ts'
import { duration, exactTime } from '../../../lib/format.ts'
import { phoneText } from '../../../lib/phone.ts'
import { words } from '../../../lib/words/index.ts'

type Spoken = Pick<Call, 'callee' | 'createdAt' | 'durationSeconds' | 'status' | 'transcript'>

/** The transcript as a text file: who, when, how long, and every line with its speaker. */
export function transcriptText(call: Spoken): string {
  const { file, callee } = words().calls
  const lines = (call.transcript ?? '').replaceAll(/^User:/gm, `${callee}:`)
  return `${file.title}
${file.callee}: ${phoneText(call.callee).number}
${file.date}: ${exactTime(call.createdAt)}
${file.duration}: ${duration(call.durationSeconds)}
${file.status}: ${call.status}

${lines}
`
}

/** Named by the callee and the day: transcript-+12025550100-2026-11-21.txt */
export function transcriptName(call: Pick<Call, 'callee' | 'createdAt'>): string {
  return words().calls.file.name(call.callee, call.createdAt.slice(0, 10))
}

export function downloadTranscript(call: Spoken & Pick<Call, 'callee'>): void {
  saveText(transcriptName(call), transcriptText(call))
}

/** All that is known of the call, for programs. */
export function downloadJson(call: CallDetails): void {
  saveText(words().calls.file.jsonName(call.callee, call.createdAt.slice(0, 10)), `${JSON.stringify(call, null, 2)}\n`)
}
