import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { words } from '../../../words/index.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { stateAfterConfirming, stateOfResumed, stateWhileProcessing, type CardDoor, type PayState } from './door.ts'

const LOOK_EVERY_MS = 2000

interface PaymentEvents {
  /** The confirmation has been sent. */
  readonly onStart: (() => void) | undefined
  /** The processor has answered without success. */
  readonly onRefused: (() => void) | undefined
  /** From the submit to a final answer or an error; the purchase must not change meanwhile. */
  readonly onBusy: ((isBusy: boolean) => void) | undefined
  readonly onSuccess: (intentId: string) => void
  /** The intent can never be paid: another one is needed. */
  readonly onOver: () => void
}

/** One payment from submit to result, announced by toasts. */
export function usePayment(
  door: RefObject<CardDoor | null>,
  { onStart, onRefused, onBusy, onSuccess, onOver }: PaymentEvents,
) {
  const [state, setState] = useState<PayState>({ phase: 'initial' })
  // A second click arrives before React has rendered the first.
  const isBusy = useRef(false)

  const enter = (next: PayState) => {
    isBusy.current = next.phase === 'processing' || next.phase === 'success'
    setState(next)
    onBusy?.(isBusy.current)
    announce(next)
    if (next.phase === 'success') onSuccess(next.intentId)
    if (next.phase === 'initial' || (next.phase === 'error' && next.isAnswered)) onRefused?.()
    if (next.phase === 'error' && next.isOver) onOver()
  }

  const pay = async () => {
    if (isBusy.current) return
    isBusy.current = true
    setState({ phase: 'processing', isSettled: false })
    onStart?.()
    onBusy?.(true)
    enter(await stateAfterConfirming(door.current))
  }
  /** The processor is ready. A resumed payment may already be made. */
  const resume = async () => {
    if (isBusy.current || !door.current) return
    const found = await stateOfResumed(door.current)
    if (!isBusy.current && found.phase !== 'initial') enter(found)
  }

  const settle = useEffectEvent(enter)
  const isWaiting = state.phase === 'processing' && state.isSettled
  useEffect(() => {
    if (!isWaiting) return undefined
    // With slow responses several status requests overlap; the first final one wins.
    let isOver = false
    const look = async () => {
      if (!door.current) return
      const next = await stateWhileProcessing(door.current)
      if (isOver || next.phase === 'processing') return
      isOver = true
      settle(next)
    }
    const timer = setInterval(() => void look(), LOOK_EVERY_MS)
    return () => {
      isOver = true
      clearInterval(timer)
    }
  }, [door, isWaiting])

  return { state, pay, resume }
}

function announce(state: PayState): void {
  const { payment } = words().credits
  if (state.phase === 'error') toast({ tone: 'error', title: state.title, description: state.message })
  if (state.phase === 'processing') toast({ title: payment.processingTitle, description: payment.processing })
}
