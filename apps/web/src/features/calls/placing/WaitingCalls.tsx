import { useEffect, useEffectEvent } from 'react'
import { count } from '../../../lib/format/format.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { useWords, words } from '../../../words/index.ts'
import { dismissToast, toast } from '../../../ui/toast/toast.ts'
import { usePlaceCall } from './usePlaceCall.tsx'
import { useWaiting, waitingCalls } from './waiting.ts'

/** Places delayed calls when their countdown ends, and shows the countdown with Undo. Mounted once, in the shell. */
export function WaitingCalls() {
  const { place, confirmation } = usePlaceCall()
  const { calls } = useWaiting()
  const placeAll = useEffectEvent((given: typeof calls) => given.forEach(place))
  useEffect(() => waitingCalls.onOver((given) => placeAll(given)), [])
  useEffect(() => waitingCalls.onUndone(sayUndone), [])
  // The next user must not place them.
  useEffect(() => waitingCalls.undo, [])
  useEffect(() => {
    if (calls.length === 0) return undefined
    const { common, calls: texts } = words()
    const id = toast({
      title: <Countdown />,
      action: { label: common.undo, onAct: waitingCalls.undo },
      otherAction: { label: texts.again.now, onAct: waitingCalls.placeNow },
      // Closing the toast undoes: no call is placed.
      stay: { onLinger: waitingCalls.hold, onClose: waitingCalls.undo },
    })
    return () => dismissToast(id)
  }, [calls])
  return confirmation
}

function Countdown() {
  const { again } = useWords().calls
  const { calls, seconds } = useWaiting()
  const [first] = calls
  if (!first) return null
  const whom = calls.length === 1 ? phoneText(first.callee).number : again.numbers(count(calls.length))
  return <span className="tabular">{again.calling(whom, seconds)}</span>
}

function sayUndone(): void {
  const { again } = words().calls
  toast({ title: again.undone, description: again.undoneHint })
}
