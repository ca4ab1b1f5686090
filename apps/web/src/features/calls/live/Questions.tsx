import type { CallDetails } from '@parley/contract'
import { useWords } from '../../../words/index.ts'
import { Scroller } from '../../../ui/Scroller.tsx'

/** What the callee asked and only the user can answer, with what becomes of it. */
export function Questions({ call }: { readonly call: CallDetails }) {
  const { live } = useWords().calls
  const asked = call.events.flatMap(({ at, question }) => (question === undefined ? [] : [{ at, question }]))
  if (asked.length === 0) return null
  return (
    <output className="block border-b border-line bg-mint">
      <Scroller
        aria-label={live.questions}
        className="max-h-[25dvh] overflow-y-auto px-4 py-2.5 outline-offset-[-2px] sm:px-6"
      >
        <h3 className="text-sm font-medium">{live.questions}</h3>
        <ul className="my-1 grid gap-1">
          {asked.map(({ at, question }) => (
            <li key={`${at} ${question}`} className="font-medium wrap-anywhere">
              {live.question(question)}
            </li>
          ))}
        </ul>
        <p className="text-sm text-muted">{live.questionsHint}</p>
      </Scroller>
    </output>
  )
}
