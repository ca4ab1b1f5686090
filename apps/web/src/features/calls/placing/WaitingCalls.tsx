import { useEffect, useEffectEvent } from 'react'
import { count } from '../../../lib/format/format.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { useWords, words } from '../../../words/index.ts'
import { dismissToast, toast } from '../../../ui/toast/toast.ts'
import { usePlaceCall } from './usePlaceCall.tsx'
import { useWaiting, waitingOrders } from './waiting.ts'

/** Places delayed calls when their countdown ends, and shows the countdown with Undo. Mounted once, in the shell. */
export function WaitingCalls() {
  const { place, confirmation } = usePlaceCall()
  const { orders } = useWaiting()
  const placeAll = useEffectEvent((given: typeof orders) => given.forEach(place))
  useEffect(() => waitingOrders.onOver((given) => placeAll(given)), [])
  useEffect(() => waitingOrders.onUndone(sayUndone), [])
  // The next user must not place them.
  useEffect(() => waitingOrders.undo, [])
  useEffect(() => {
    if (orders.length === 0) return undefined
    const { common, calls } = words()
    const id = toast({
      title: <Countdown />,
      action: { label: common.undo, onAct: waitingOrders.undo },
      otherAction: { label: calls.again.now, onAct: waitingOrders.hurry },
      // Closing the toast undoes: no call is placed.
      stay: { onLinger: waitingOrders.hold, onClose: waitingOrders.undo },
    })
    return () => dismissToast(id)
  }, [orders])
  return confirmation
}

function Countdown() {
  const { again } = useWords().calls
  const { orders, seconds } = useWaiting()
  const [first] = orders
  if (!first) return null
  const whom = orders.length === 1 ? phoneText(first.callee).number : again.numbers(count(orders.length))
  return <span className="tabular">{again.calling(whom, seconds)}</span>
}

function sayUndone(): void {
  const { again } = words().calls
  toast({ title: again.undone, description: again.undoneHint })
}
