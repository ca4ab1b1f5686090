import { runVoice } from '../../service.ts'
import { SANDBOX } from './sandbox.ts'

await runVoice(SANDBOX)
