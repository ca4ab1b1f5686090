import { type CallDetails, PHASES } from '@parley/contract'
import { PhoneForwarded, PhoneOff } from 'lucide-react'
import { sentenceOf } from '../../../lib/server/http.ts'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { useWords } from '../../../words/index.ts'
import { useSteerCall } from '../api.ts'

interface RingInProps {
  readonly call: CallDetails
}

/** Rings the user's own phone and puts the callee through to it. */
export function RingIn({ call }: RingInProps) {
  const { common, calls } = useWords()
  const steer = useSteerCall(call.id)
  const rings = call.phase === PHASES.ringingOwner
  if (call.phase === PHASES.takenOver || call.phase === PHASES.takingOver) return null
  const Icon = rings ? PhoneOff : PhoneForwarded
  const onError = (error: Error) =>
    toast({ tone: 'error', title: common.error, description: sentenceOf(error, calls.sound.ringInFailed) })
  return (
    <Button
      variant="secondary"
      disabled={call.connectedAt === null}
      pending={steer.isPending}
      icon={<Icon className="size-4" aria-hidden="true" />}
      onClick={() => steer.mutate({ action: rings ? 'hand_back' : 'ring_in' }, { onError })}
    >
      <span className="max-lg:sr-only">{rings ? calls.sound.stopRinging : calls.sound.ringMeIn}</span>
    </Button>
  )
}
