import type { Call } from '@parley/contract'
import { Download, Radio, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Tooltip } from '../../../ui/Tooltip.tsx'
import { openCall } from '../live/openCall.ts'
import { isLive } from '../status.ts'
import { downloadTranscript } from './download.ts'

interface CallActionsProps {
  readonly call: Call
  readonly onRetry: (call: Call) => void
  readonly retrying: boolean
}

/** The actions a call allows in its status: watch, download, retry. */
export function CallActions({ call, onRetry, retrying }: CallActionsProps) {
  const { history } = useWords().calls
  if (isLive(call))
    return (
      <Action label={history.watch} onClick={() => openCall(call.id)}>
        <Radio className="size-5 text-live" aria-hidden="true" />
      </Action>
    )
  if (call.status === 'failed')
    return (
      <Action label={history.retry} pending={retrying} onClick={() => onRetry(call)}>
        <RotateCw className="size-5" aria-hidden="true" />
      </Action>
    )
  return call.transcript ? (
    <Action label={history.download} onClick={() => downloadTranscript(call)}>
      <Download className="size-5" aria-hidden="true" />
    </Action>
  ) : null
}

interface ActionProps {
  readonly label: string
  readonly onClick: () => void
  readonly pending?: boolean
  readonly children: ReactNode
}

function Action({ label, onClick, pending = false, children }: ActionProps) {
  return (
    <Tooltip tip={label}>
      <Button variant="quiet" size="icon" aria-label={label} pending={pending} onClick={onClick}>
        {!pending && children}
      </Button>
    </Tooltip>
  )
}
