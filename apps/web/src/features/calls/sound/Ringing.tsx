import { isVerificationId, type LiveMessage } from '@parley/contract'
import { callerNumbersRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { Headphones, Keyboard, Mic } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { phoneText } from '../../../lib/format/phone.ts'
import { read } from '../../../lib/server/queries.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { platform } from '../../../lib/platform/index.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { openCall } from '../live/openCall.ts'
import { phone } from './useSound.ts'

export type Incoming = Extract<LiveMessage, { type: 'incoming_call' }>

interface RingingProps {
  readonly incoming: Incoming
  readonly onOver: () => void
}

/** An incoming call for the user, who answers by typing or by microphone. */
export default function Ringing(props: RingingProps) {
  return isVerificationId(props.incoming.callId) ? <CodeRinging {...props} /> : <CallRinging {...props} />
}

/** Nothing on the live socket tells the end of such a call. */
const STAGE_EVERY_MS = 1500

/** A call that tells a code: there is nothing to say, and no call to look at. */
function CodeRinging({ incoming, onOver }: RingingProps) {
  const { common, calls } = useWords()
  const { sound } = calls
  const { id } = useSignedInUser()
  const { data } = useQuery({
    ...read(callerNumbersRoutes.list, { params: { id } }),
    refetchInterval: STAGE_EVERY_MS,
  })
  const status = data?.verification?.id === incoming.callId ? data.verification.status : undefined
  const rings = status !== 'answered' && status !== 'over'
  const stop = useEffectEvent(onOver)
  useEffect(() => {
    if (!rings) stop()
  }, [rings])
  const answer = () => {
    onOver()
    phone
      .open(incoming.callId)
      .catch(() => toast({ tone: 'error', title: common.error, description: sound.answerFailed }))
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onOver()}
      title={sound.incoming}
      lead={sound.codeLead(phoneText(incoming.callee).number)}
    >
      <div className="grid gap-3">
        <Button icon={<Headphones className="size-4" aria-hidden="true" />} onClick={answer}>
          {sound.answerListening}
        </Button>
        <Button variant="quiet" onClick={onOver}>
          {sound.ignore}
        </Button>
      </div>
    </Dialog>
  )
}

function CallRinging({ incoming, onOver }: RingingProps) {
  const { common, calls } = useWords()
  const { sound } = calls
  const fail = (sentence: string) => toast({ tone: 'error', title: common.error, description: sentence })
  const answer = async (withMicrophone: boolean) => {
    onOver()
    openCall(incoming.callId)
    try {
      await phone.open(incoming.callId)
    } catch {
      return fail(sound.answerFailed)
    }
    if (withMicrophone) await phone.speak().catch(() => fail(sound.noMicrophone[platform().where]))
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onOver()}
      title={sound.incoming}
      lead={sound.incomingLead(phoneText(incoming.callee).number, incoming.onBehalfOf)}
    >
      <div className="grid gap-3">
        <Button icon={<Keyboard className="size-4" aria-hidden="true" />} onClick={() => void answer(false)}>
          {sound.answerTyping}
        </Button>
        <Button
          variant="secondary"
          icon={<Mic className="size-4" aria-hidden="true" />}
          onClick={() => void answer(true)}
        >
          {sound.answerSpeaking}
        </Button>
        <Button variant="quiet" onClick={onOver}>
          {sound.ignore}
        </Button>
      </div>
    </Dialog>
  )
}
