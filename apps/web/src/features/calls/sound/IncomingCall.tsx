import type { LiveMessage } from '@parley/contract'
import { Keyboard, Mic } from 'lucide-react'
import { useState } from 'react'
import { phoneText } from '../../../lib/phone.ts'
import { useLive } from '../../../lib/useLive.ts'
import { useWords } from '../../../lib/words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { openCall } from '../live/openCall.ts'
import { phone } from './useLine.ts'

type Incoming = Extract<LiveMessage, { type: 'incoming_call' }>

/** A call to ...555 0199 rings here: the person is the callee, and answers by typing or by microphone. */
export function IncomingCall() {
  const { common, calls } = useWords()
  const { sound } = calls
  const [ringing, setRinging] = useState<Incoming | null>(null)
  useLive({
    onMessage: (message) => {
      if (message.type === 'incoming_call') setRinging(message)
      if (message.type === 'call_status' && message.call.id === ringing?.callId && message.call.status !== 'ringing') setRinging(null)
    },
  })
  if (!ringing) return null
  const fail = (sentence: string) => toast({ tone: 'error', title: common.error, description: sentence })
  const answer = async (withMicrophone: boolean) => {
    setRinging(null)
    openCall(ringing.callId)
    try {
      await phone.open(ringing.callId)
    } catch {
      return fail(sound.answerFailed)
    }
    if (withMicrophone) await phone.speak().catch(() => fail(sound.noMicrophone))
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && setRinging(null)}
      title={sound.incoming}
      lead={sound.incomingLead(phoneText(ringing.callee).number, ringing.onBehalfOf)}
    >
      <div className="grid gap-3">
        <Button icon={<Keyboard className="size-4" aria-hidden="true" />} onClick={() => void answer(false)}>
          {sound.answerTyping}
        </Button>
        <Button variant="secondary" icon={<Mic className="size-4" aria-hidden="true" />} onClick={() => void answer(true)}>
          {sound.answerSpeaking}
        </Button>
        <Button variant="quiet" onClick={() => setRinging(null)}>
          {sound.ignore}
        </Button>
      </div>
    </Dialog>
  )
}
