import type { Call } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { Pencil, Phone } from 'lucide-react'
import { useWords } from '../../../words/index.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { SaveAsTemplate } from '../templates/SaveAsTemplate.tsx'
import { mannerOf } from './callForm.ts'
import { useCallAgain } from './useCallAgain.tsx'

interface AgainActionsProps {
  readonly call: Call
  /** Called when another call begins, to close the view. */
  readonly onLeave: () => void
}

/** Actions for an ended call: call again, call again with changes, save as template. */
export function AgainActions({ call, onLeave }: AgainActionsProps) {
  const { again } = useWords().calls
  const { callAgain, isWaiting, confirmation } = useCallAgain(onLeave)
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="secondary"
        size="small"
        icon={<Phone className="size-4" aria-hidden="true" />}
        pending={isWaiting(call)}
        onClick={() => callAgain(call)}
      >
        {again.same}
      </Button>
      <ButtonLink variant="secondary" size="small">
        <Link to="/make-call" search={{ from: call.id }} onClick={onLeave}>
          <Pencil className="size-4" aria-hidden="true" />
          {again.changed}
        </Link>
      </ButtonLink>
      <SaveAsTemplate manner={() => mannerOf(call)} size="small" />
      {confirmation}
    </div>
  )
}
