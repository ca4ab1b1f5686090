import { earConforms } from '@parley/voice-ports/conformance'
import { spoken, stageOpenai } from '../testing.ts'

const ENGLISH = 'We have a table for two at eight'
const GERMAN = 'Wir haben einen Tisch um acht'

earConforms('OpenAI Realtime', async () => {
  const { far, clock, ear } = await stageOpenai({ callee: (_, language) => (language === 'de' ? GERMAN : ENGLISH) })
  return {
    ear,
    clock,
    advance: (ms) => clock.advance(ms),
    readyWithinMs: 200,
    ...spoken(ENGLISH),
    other: { ...spoken(GERMAN), language: 'de-DE' },
    lose: () => far.session.break(),
  }
})
