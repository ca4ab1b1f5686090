import { runVoice } from '../../service.ts'
import { SANDBOX } from '@parley/sandbox'

await runVoice(SANDBOX)
