import type { Call, CallDetails } from '@parley/contract'
import { saveText } from '../../../lib/files.ts'
import { duration, exactTime } from '../../../lib/format/format.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { words } from '../../../words/index.ts'
import { withPrivateNames } from '../vault/privateNames.ts'

type Spoken = Pick<Call, 'callee' | 'createdAt' | 'durationSeconds' | 'status' | 'transcript' | 'vault'>

/** The transcript as a text file: header, then one line per turn with its speaker. */
export function transcriptText(call: Spoken): string {
  const { file, callee } = words().calls
  const lines = withPrivateNames(call.transcript ?? '', call.vault).replaceAll(/^User:/gm, `${callee}:`)
  return `${file.title}
${file.callee}: ${phoneText(call.callee).number}
${file.date}: ${exactTime(call.createdAt)}
${file.duration}: ${duration(call.durationSeconds)}
${file.status}: ${call.status}

${lines}
`
}

/** Named by callee and date: transcript-+12025550100-2026-11-21.txt */
export function transcriptName(call: Pick<Call, 'callee' | 'createdAt'>): string {
  return words().calls.file.name(call.callee, dayOf(call.createdAt))
}

/** The user's local date, as in the header; this locale formats it as ISO. */
function dayOf(at: string): string {
  return new Date(at).toLocaleDateString('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' })
}

export function downloadTranscript(call: Spoken & Pick<Call, 'callee'>): void {
  void saveText(transcriptName(call), transcriptText(call))
}

/** The whole call as JSON. */
export function downloadJson(call: CallDetails): void {
  void saveText(words().calls.file.jsonName(call.callee, dayOf(call.createdAt)), `${JSON.stringify(call, null, 2)}\n`)
}
