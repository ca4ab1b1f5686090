import { SINGLE_CALL_TONE_DEFAULT } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearchParam } from '../../../lib/search.ts'
import { useWords } from '../../../words/index.ts'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { callQuery } from '../api.ts'
import { fieldsOf, type CallFields } from '../placing/callForm.ts'
import { useCallForm } from '../placing/useCallForm.ts'
import { TemplatePicker } from '../templates/TemplatePicker.tsx'
import { Templates } from '../templates/Templates.tsx'
import { CallForm } from './CallForm.tsx'
import { PrivateValues, WithMandates } from './WholeOrder.tsx'

const PARTS = { PrivateValues, WithMandates }

/**
 * A single call, with templates beside it. The address may contain a number, or an earlier call to repeat with
 * changes.
 */
export function SingleCall() {
  const { calls } = useWords()
  const phone = useSearchParam('phone')
  const from = useSearchParam('from')
  const earlier = useQuery({ ...callQuery(from ?? ''), enabled: from !== undefined })
  if (from === undefined)
    return <Filled key={phone} name={`single.${phone ?? ''}`} begun={phone === undefined ? {} : { callee: phone }} />
  if (earlier.data)
    return (
      <Filled key={from} name={`again.${from}`} begun={{ callee: earlier.data.callee, ...fieldsOf(earlier.data) }} />
    )
  if (earlier.isError)
    return (
      <ErrorState
        title={calls.details.failedTitle}
        retrying={earlier.isFetching}
        onRetry={() => void earlier.refetch()}
      />
    )
  return <Skeleton className="h-96 rounded-base" />
}

function Filled({ name, begun }: { readonly name: string; readonly begun: Partial<CallFields> }) {
  const { templates } = useWords()
  const state = useCallForm(name, SINGLE_CALL_TONE_DEFAULT, begun)
  return (
    <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
      <Card className="max-w-3xl">
        <TemplatePicker onUse={state.startFrom} className="mb-5 max-sm:w-full xl:hidden" />
        <CallForm state={state} parts={PARTS} />
      </Card>
      <Card aria-labelledby="templates" className="max-xl:hidden">
        <h2 id="templates" className="mb-4 text-lg font-semibold">
          {templates.title}
        </h2>
        <Templates onUse={state.startFrom} />
      </Card>
    </div>
  )
}
