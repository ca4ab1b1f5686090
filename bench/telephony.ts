import { runRole } from './telephony/children.ts'
import { measure } from './telephony/measure.ts'
import { runCore } from './telephony/core.ts'
import { runFar } from './telephony/far.ts'

// Calls over real sockets beside bare echoes of the same frames. The same file is each of its processes.

const [role = '', kind = ''] = process.argv.slice(2)
switch (role) {
  case 'far':
    runFar(kind)
    break
  case 'core':
    runCore(kind)
    break
  case 'soak':
    process.exitCode = await runRole('calls', process.argv.slice(3))
    break
  case 'calls':
    process.exitCode = await (await import('./telephony/soak.ts')).soak(process.argv.slice(3))
    break
  default:
    await measure(process.argv.slice(2))
}
