import { answers, go, hangUp, machine, onElapsed, onSilence, onStart, say, tone, type Persona } from '../persona.ts'

const GREETING =
  'Hi, you have reached the voicemail of Sam Taylor. I cannot take your call right now. Please leave a message after the tone.'

export const voicemail: Persona = {
  number: '0103',
  about: 'voicemail: greeting, beep, records what is said',
  language: 'en',
  pickup: answers(3500),
  scenes: {
    first: machine('friendly', onStart([say(GREETING), tone('beep', 500), go('recording')], { afterMs: 400 })),
    recording: machine('friendly', onSilence(6000, [hangUp]), onElapsed(90_000, [hangUp])),
  },
}
