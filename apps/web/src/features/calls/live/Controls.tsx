import type { CallDetails } from '@parley/contract'
import { Send, Square } from 'lucide-react'
import { useState, type SubmitEvent } from 'react'
import { codeOf, sentenceOf } from '../../../lib/server/http.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { useSteerCall, useStopCall } from '../api.ts'
import { Keypad, Listen, TakeOver } from '../sound/SoundControls.tsx'
import { RingIn } from './RingIn.tsx'

interface ControlsProps {
  readonly call: CallDetails
  readonly onInstruction: (text: string) => void
}

/** The bar at the bottom: instruct the agent, or stop the call. */
export function Controls({ call, onInstruction }: ControlsProps) {
  const { common, calls } = useWords()
  const stop = useStopCall(call.id)
  // After Stop the agent says goodbye before the call ends.
  const stopping = stop.isPending || stop.isSuccess
  const showError = (error: Error) => {
    if (codeOf(error) === 'call_ended') return
    toast({ tone: 'error', title: common.error, description: sentenceOf(error, calls.live.stopFailed) })
  }
  return (
    <footer className="relative flex flex-wrap items-center gap-2 border-t border-line bg-surface p-3 pb-[max(0.75rem,var(--safe-bottom))] sm:gap-3 sm:px-6 sm:py-4">
      <Listen call={call} />
      <InstructionForm call={call} onInstruction={onInstruction} />
      <Keypad call={call} />
      <TakeOver call={call} />
      <RingIn call={call} />
      <Button
        variant="danger"
        className="max-sm:flex-1"
        icon={<Square className="size-4 fill-current" aria-hidden="true" />}
        pending={stopping}
        onClick={() => stop.mutate(undefined, { onError: showError })}
      >
        {stopping ? calls.live.stopping : calls.live.stop}
      </Button>
    </footer>
  )
}

function InstructionForm({ call, onInstruction }: ControlsProps) {
  const { common, calls } = useWords()
  const tell = useSteerCall(call.id)
  const [text, setText] = useState('')
  const isEarly = call.connectedAt === null
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const instruction = text.trim()
    if (instruction === '' || tell.isPending) return
    setText('')
    tell.mutate(
      { action: 'say', text: instruction },
      {
        onSuccess: () => onInstruction(instruction),
        onError: (error) => {
          setText(instruction)
          toast({ tone: 'error', title: common.error, description: sentenceOf(error, calls.live.tellFailed) })
        },
      },
    )
  }
  return (
    <form onSubmit={submit} className="relative min-w-0 flex-1 max-sm:-order-1 max-sm:basis-full">
      <Input
        aria-label={calls.live.tell}
        placeholder={calls.live.tell}
        title={isEarly ? calls.live.tellEarly : undefined}
        disabled={isEarly}
        maxLength={500}
        enterKeyHint="send"
        autoComplete="off"
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="pr-12"
      />
      <button
        type="submit"
        aria-label={calls.live.tellSend}
        disabled={isEarly}
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-base text-brand disabled:opacity-55"
      >
        <Send className="size-5" aria-hidden="true" />
      </button>
    </form>
  )
}
