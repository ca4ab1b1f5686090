import { spokenFrames } from './far-end.ts'

/** The utterances of the callees. */
export const UTTERANCES = [
  'We have a table for two at seven, or a bigger one at half past eight.',
  'Yes, that would be possible, what is the name, please?',
  'All right, and is there anything else that you would like to know?',
].map(spokenFrames)
