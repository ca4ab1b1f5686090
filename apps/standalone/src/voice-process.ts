import { runVoice } from '@parley/voice/service'
import { SANDBOX } from '@parley/sandbox'

// The voice service with the outside world played.

await runVoice(SANDBOX)
