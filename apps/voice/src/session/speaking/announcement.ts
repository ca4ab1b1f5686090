import { serverWording } from './server-wordings.ts'

/** What the owner hears before they are put through. */
export interface Announcement {
  /** Who is on the line, whether it is recorded, and which key accepts. */
  readonly text: string
  /** For an owner who has pressed nothing. */
  readonly again: string
}

export function announcement(language: string, callee: string, isRecorded: boolean): Announcement {
  const { wording, language: spoken } = serverWording(language)
  // The last digits tell the number apart, and are quickly said.
  const who = wording.on_the_line(callee.slice(-4).split('').join(' '))
  const gap = /^(?:zh|ja)/.test(spoken) ? '' : ' '
  const sentences = [who, ...(isRecorded ? [wording.recorded] : []), wording.press_one]
  return { text: sentences.join(gap), again: wording.press_one }
}
