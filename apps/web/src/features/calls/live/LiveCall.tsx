import type { CallDetails } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { codeOf } from '../../../lib/server/http.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { useLiveConnected } from '../../../lib/live/useLive.ts'
import { useWords } from '../../../words/index.ts'
import { Stage } from '../../../ui/Stage.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { callQuery } from '../api.ts'
import { isLive } from '../status.ts'
import { Handset } from '../sound/Handset.tsx'
import { Controls } from './Controls.tsx'
import { EndedCall } from './EndedCall.tsx'
import { closeCall, forgetOpenCall } from './openCall.ts'
import { Questions } from './Questions.tsx'
import { RunningCall } from './RunningCall.tsx'
import { StatusLine } from './StatusLine.tsx'
import type { Instruction } from './instructions.tsx'

interface LiveCallProps {
  readonly id: string
  readonly onShown: () => void
  readonly instructions: readonly Instruction[]
  readonly onInstruction: (instruction: Omit<Instruction, 'place'>) => void
}

/** The watched call: live, then its outcome. Closing the view leaves the call running. */
export function LiveCall({ id, onShown, instructions, onInstruction }: LiveCallProps) {
  const { calls } = useWords()
  const { data: call, error, isFetching, refetch } = useQuery(callQuery(id))
  const isGone = codeOf(error) === 'not_found'
  const announceShown = useEffectEvent(onShown)
  useEffect(() => announceShown(), [])
  useEffect(() => {
    if (isGone) closeCall()
  }, [isGone])
  const isOver = call !== undefined && !isLive(call)
  useEffect(() => {
    if (isOver) forgetOpenCall()
  }, [isOver])
  return (
    <Stage
      open={!isGone}
      onOpenChange={(open) => !open && closeCall()}
      title={call ? calls.live.title(phoneText(call.callee).number) : calls.details.title}
    >
      {call ? (
        <View call={call} instructions={instructions} onInstruction={onInstruction} />
      ) : (
        <div className="grid flex-1 content-start gap-6 p-6">
          {error ? (
            <ErrorState title={calls.details.failedTitle} retrying={isFetching} onRetry={() => void refetch()} />
          ) : (
            <Waiting />
          )}
        </div>
      )}
    </Stage>
  )
}

function View({
  call,
  instructions,
  onInstruction,
}: Omit<LiveCallProps, 'id' | 'onShown'> & { readonly call: CallDetails }) {
  const { live } = useWords().calls
  const isConnected = useLiveConnected()
  if (!isLive(call))
    return (
      <>
        <StatusLine call={call} />
        <EndedCall call={call} />
      </>
    )
  const afterTurn = call.turns.at(-1)?.index ?? -1
  return (
    <>
      <StatusLine call={call} />
      {!isConnected && (
        <output className="border-b border-line bg-live-soft px-4 py-2 text-sm text-live sm:px-6">
          {live.offline}
        </output>
      )}
      <Questions call={call} />
      <RunningCall call={call} instructions={instructions} />
      <Handset call={call} />
      <Controls call={call} onInstruction={(text) => onInstruction({ callId: call.id, text, afterTurn })} />
    </>
  )
}

function Waiting() {
  return (
    <>
      <Skeleton className="h-7 w-64" />
      <Skeleton className="h-16 w-3/4" />
      <Skeleton className="ml-auto h-16 w-1/2" />
      <Skeleton className="h-16 w-2/3" />
    </>
  )
}
