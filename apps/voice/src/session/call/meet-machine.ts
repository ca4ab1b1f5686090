import { PHASES } from '@parley/contract'
import type { MachineSign } from '../hearing/machine.ts'
import type { CallFacts } from '../reporting/facts.ts'
import type { TurnEvent } from '../turns/state.ts'

/** Reports what speaks at the far end, and tells the turns. */
export function meetMachine(
  sign: MachineSign,
  facts: Pick<CallFacts, 'machineSpoke' | 'tellPhase'>,
  dispatch: (event: TurnEvent) => void,
): void {
  switch (sign.type) {
    case 'suspected':
    case 'person':
      return dispatch({ type: 'machine', suspected: sign.type === 'suspected' })
    case 'waits':
      facts.tellPhase(PHASES.onHold)
      return dispatch({ type: 'machine_waits' })
    case 'cue':
      facts.machineSpoke()
      facts.tellPhase(PHASES[sign.cue.type])
      return dispatch({ type: 'machine_cue', cue: sign.cue })
    case 'fax':
      return dispatch({ type: 'stop', reason: 'fax' })
  }
}
