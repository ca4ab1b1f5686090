import type { Call } from '@parley/contract'
import { clock } from '../../../lib/format/format.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { useWords } from '../../../words/index.ts'
import { phaseText } from '../status.ts'
import { useCallClock } from './clock.ts'
import { openCall } from './openCall.ts'

/** A bar at the bottom of every screen while calls run; each links to its live view. */
export function LiveBar({ calls }: { readonly calls: readonly Call[] }) {
  const { live } = useWords().calls
  return (
    <aside
      aria-label={live.bar}
      data-live-bar
      className="fixed inset-x-0 bottom-0 z-20 animate-slide-in-bottom border-t border-live/40 bg-live-soft pb-[var(--safe-bottom)] lg:left-[16.5rem]"
    >
      <ul className="flex overflow-x-auto">
        {calls.map((call) => (
          <li key={call.id} className="min-w-72 flex-1 border-r border-live/30 last:border-r-0">
            <BarItem call={call} />
          </li>
        ))}
      </ul>
    </aside>
  )
}

function BarItem({ call }: { readonly call: Call }) {
  const { live } = useWords().calls
  const { elapsed } = useCallClock(call)
  const { number } = phoneText(call.callee)
  return (
    <button
      type="button"
      onClick={() => openCall(call.id)}
      className="flex h-12 w-full items-center gap-3 px-4 text-left text-sm outline-offset-[-2px] sm:px-8"
    >
      <span className="size-2 shrink-0 animate-breathe rounded-full bg-live-fill" aria-hidden="true" />
      <span className="tabular font-medium whitespace-nowrap">{number}</span>
      <span className="min-w-0 flex-1 truncate text-live">{phaseText(call)}</span>
      <span className="tabular">{clock(elapsed)}</span>
      <span className="font-medium text-brand underline underline-offset-3">{live.open}</span>
    </button>
  )
}
