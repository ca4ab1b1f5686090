import { runVoice } from '@parley/voice/service'
import { SANDBOX } from '@parley/sandbox'

// The voice service with the sandbox as its outside world.

await runVoice(SANDBOX)
