import { mindConforms } from '@parley/voice-ports/conformance'
import { modelledBy, stageOpenai } from '../testing.ts'

const OUTPUTS = ['text', 'sound'] as const

for (const output of OUTPUTS)
  mindConforms(`OpenAI Realtime, ${output}`, async () => {
    const make = modelledBy(async (answers) => (await stageOpenai({ answers, realtime: { output } })).mind)
    return { mind: await make(), repeatable: false }
  })
