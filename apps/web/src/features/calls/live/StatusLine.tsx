import type { CallDetails } from '@parley/contract'
import { ChevronDown, X } from 'lucide-react'
import { clock, credits as creditsText, duration } from '../../../lib/format/format.ts'
import { endingLabel } from '../../../lib/format/outcomes.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { useWords } from '../../../words/index.ts'
import { isLive, phaseText } from '../status.ts'
import { useCallClock } from './clock.ts'
import { closeCall } from './openCall.ts'

/** Callee, phase, elapsed time of the limit, and credits. */
export function StatusLine({ call }: { readonly call: CallDetails }) {
  const { common, calls } = useWords()
  const { elapsed, limit, credits } = useCallClock(call)
  const { number, country } = phoneText(call.callee)
  const running = isLive(call)
  const Leave = running ? ChevronDown : X
  return (
    <header className="relative border-b border-line">
      {/* Narrow or zoomed: callee and time above, phase and credits below. */}
      <div className="flex flex-wrap items-center gap-x-3 px-4 py-2 sm:gap-x-5 sm:px-6 sm:py-3 lg:flex-nowrap">
        <p className="min-w-0 flex-1 truncate font-semibold sm:text-lg">
          <span className="tabular">{number}</span>
          {country && <span className="font-normal text-muted"> · {country}</span>}
        </p>
        <output className="order-1 flex min-w-0 basis-[calc(100%-7rem)] items-center gap-2 lg:order-none lg:max-w-[40%] lg:basis-auto">
          {running && <span className="size-2 shrink-0 animate-breathe rounded-full bg-live-fill" aria-hidden="true" />}
          <span className={running ? 'truncate text-live' : 'truncate text-muted'}>
            {endingLabel(call) ?? phaseText(call)}
          </span>
        </output>
        <p className="tabular whitespace-nowrap">
          {running ? (
            <>
              <span aria-hidden="true">
                {clock(elapsed)} <span className="text-muted">/ {clock(limit)}</span>
              </span>
              <span className="sr-only">{calls.live.clockSpoken(clock(elapsed), clock(limit))}</span>
            </>
          ) : (
            duration(elapsed)
          )}
        </p>
        <p className="tabular order-1 ml-auto whitespace-nowrap lg:order-none lg:ml-0">
          {call.isTest ? calls.testCall : creditsText(credits)}
        </p>
        <button
          type="button"
          aria-label={running ? calls.live.minimize : common.close}
          title={running ? calls.live.minimize : common.close}
          onClick={closeCall}
          className="-mr-2 grid size-11 shrink-0 place-items-center rounded-base text-muted hover:bg-mint hover:text-ink"
        >
          <Leave className="size-5" aria-hidden="true" />
        </button>
      </div>
      {running && (
        <span
          aria-hidden="true"
          className="absolute inset-x-0 -bottom-px h-0.5 origin-left bg-live-fill transition-transform duration-1000 ease-linear"
          style={{ transform: `scaleX(${elapsed / limit})` }}
        />
      )}
    </header>
  )
}
