import { runVoice } from '@parley/voice/service'
import { SANDBOX } from './sandbox.ts'

// The voice service with the outside world played.

await runVoice(SANDBOX)
