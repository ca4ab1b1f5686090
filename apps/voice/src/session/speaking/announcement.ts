import { serverWording } from './server-wordings.ts'

/** What the owner hears before they are put through: who is on the line, and whether it is recorded. */
export function announcement(language: string, callee: string, isRecorded: boolean): string {
  const { wording, language: spoken } = serverWording(language)
  // The last digits tell the number apart, and are quickly said.
  const first = wording.on_the_line(callee.slice(-4).split('').join(' '))
  const gap = /^(?:zh|ja)/.test(spoken) ? '' : ' '
  return isRecorded ? `${first}${gap}${wording.recorded}` : first
}
