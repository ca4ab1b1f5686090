import { runVoice } from './service.ts'

// The voice service alone, without the sandbox.

await runVoice()
