import type { CallDetails } from '@parley/contract'
import { ArrowDown, ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import { useIsWide } from '../../../lib/media.ts'
import { metOf } from '../../../lib/format/outcomes.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Scroller } from '../../../ui/Scroller.tsx'
import { Objectives } from '../Objectives.tsx'
import { currentObjective, objectivesOf } from '../status.ts'
import { Transcript } from '../Transcript.tsx'
import { turnsOf } from '../vault/privateNames.ts'
import { instructionsAfter, type Instruction } from './instructions.tsx'
import { useFollow } from './useFollow.ts'

interface RunningCallProps {
  readonly call: CallDetails
  readonly instructions: readonly Instruction[]
}

/** Objectives beside the transcript; on a phone in a panel below it. */
export function RunningCall({ call, instructions }: RunningCallProps) {
  return useIsWide() ? (
    <div className="grid min-h-0 flex-1 grid-cols-[18rem_minmax(0,1fr)]">
      <section className="overflow-y-auto border-r border-line p-6">
        <Aim call={call} />
      </section>
      <Words call={call} instructions={instructions} />
    </div>
  ) : (
    <div className="flex min-h-0 flex-1 flex-col">
      <Words call={call} instructions={instructions} />
      <PullUp call={call} />
    </div>
  )
}

function Aim({ call }: { readonly call: CallDetails }) {
  const { live } = useWords().calls
  return (
    <div className="grid gap-6">
      <div>
        <h3 className="mb-3 text-sm font-medium text-muted">{live.objectives}</h3>
        {call.objectives.length > 0 ? (
          <Objectives objectives={objectivesOf(call)} vault={call.vault} current={currentObjective(call)} />
        ) : (
          <p className="text-muted">{live.noObjectives}</p>
        )}
      </div>
      <div>
        <h3 className="mb-1.5 text-sm font-medium text-muted">{live.purpose}</h3>
        <p className="text-sm wrap-anywhere">{call.purpose}</p>
      </div>
    </div>
  )
}

function PullUp({ call }: { readonly call: CallDetails }) {
  const { live } = useWords().calls
  const [open, setOpen] = useState(false)
  const Icon = open ? ChevronDown : ChevronUp
  const met = metOf(objectivesOf(call))
  return (
    <div className="relative border-t border-line">
      {open && (
        <div
          id="call-objectives"
          className="absolute inset-x-0 bottom-full max-h-[45dvh] animate-rise overflow-y-auto rounded-t-base border-t border-line bg-surface p-4 shadow-soft"
        >
          <Aim call={call} />
        </div>
      )}
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? 'call-objectives' : undefined}
        onClick={() => setOpen(!open)}
        className="flex h-11 w-full items-center justify-between px-4 text-sm font-medium outline-offset-[-2px]"
      >
        <span className="tabular">
          {call.objectives.length > 0 ? live.objectivesDone(met, call.objectives.length) : live.objectives}
        </span>
        <Icon className="size-5 text-muted" aria-hidden="true" />
      </button>
    </div>
  )
}

function Words({ call, instructions }: RunningCallProps) {
  const { live } = useWords().calls
  const { scroller, content, following, toEnd } = useFollow()
  const notes = (turn: number) => instructionsAfter(turn, instructions, live.told)
  return (
    <div className="relative min-h-0 flex-1">
      <Scroller ref={scroller} aria-label={live.transcript} className="h-full overflow-y-auto outline-offset-[-2px]">
        <div ref={content} className="p-4 sm:p-6">
          {notes(-1)}
          {call.turns.length === 0 && <p className="text-muted">{live.waiting}</p>}
          <Transcript turns={turnsOf(call)} live after={notes} />
        </div>
      </Scroller>
      {!following && (
        <div className="absolute inset-x-0 bottom-4 grid place-items-center">
          <Button
            variant="secondary"
            size="small"
            className="shadow-soft"
            icon={<ArrowDown className="size-4" aria-hidden="true" />}
            onClick={toEnd}
          >
            {live.latest}
          </Button>
        </div>
      )}
    </div>
  )
}
