import { earConforms } from '@parley/voice-ports/conformance'
import { spoken, stageGemini } from '../testing.ts'

const ENGLISH = 'We have a table for two at eight'
const GERMAN = 'Wir haben einen Tisch um acht'

for (const tellsFinished of [true, false])
  earConforms(
    `Gemini Live, ${tellsFinished ? 'which says' : 'which does not say'} that its words are complete`,
    async () => {
      let said = ENGLISH
      const { far, clock, ear } = await stageGemini({ callee: () => said, tellsFinished })
      return {
        // The vendor is not told the language: the callee speaks it.
        ear: {
          ...ear,
          listen(options, given, onEvent) {
            const listening = ear.listen(options, given, onEvent)
            const setLanguage = (language: string) => {
              said = GERMAN
              listening.setLanguage(language)
            }
            return { ...listening, setLanguage }
          },
        },
        clock,
        advance: (ms) => clock.advance(ms),
        readyWithinMs: 200,
        ...spoken(ENGLISH),
        other: { ...spoken(GERMAN), language: 'de-DE' },
        lose: () => far.session.break(),
      }
    },
  )
