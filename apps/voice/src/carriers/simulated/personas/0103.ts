import { answers, hangUp, onElapsed, onSilence, onStart, go, say, tone, type Persona } from '../persona.ts'

export const voicemail: Persona = {
  number: '0103',
  about: 'voicemail: greeting, beep, records what is said',
  language: 'en',
  voiceId: 'friendly',
  pickup: answers(3500),
  manners: 'machine',
  scenes: {
    first: [
      onStart(
        [
          say(
            'Hi, you have reached the voicemail of Sam Taylor. I cannot take your call right now. Please leave a message after the tone.',
          ),
          tone('beep', 500),
          go('recording'),
        ],
        { afterMs: 400 },
      ),
    ],
    recording: [onSilence(6000, [hangUp]), onElapsed(90_000, [hangUp])],
  },
}
