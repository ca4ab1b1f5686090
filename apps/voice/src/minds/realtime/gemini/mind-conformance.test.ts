import { mindConforms } from '@parley/voice-ports/conformance'
import { modelledBy, stageGemini } from '../testing.ts'

const OUTPUTS = ['text', 'sound'] as const

for (const output of OUTPUTS)
  mindConforms(`Gemini Live, ${output}`, async () => {
    const make = modelledBy(async (answers) => (await stageGemini({ answers, realtime: { output } })).mind)
    return { mind: await make(), repeatable: false }
  })
