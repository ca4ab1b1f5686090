import { SINGLE_CALL_TONE_DEFAULT } from '@parley/contract'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { CallForm } from '../../features/calls/quick-call/CallForm.tsx'
import { ObjectivesInput } from '../../features/calls/quick-call/ObjectivesInput.tsx'
import { useSearchParam } from '../../lib/search.ts'
import { useWords } from '../../lib/words/index.ts'
import { Card, PageHead } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/Tabs.tsx'

const BatchCalls = lazy(async () => ({ default: (await import('../../features/batches/BatchCalls.tsx')).BatchCalls }))

/** One call, or one for everybody on a list. The address tells which, and may fill in the number. */
export default function MakeCall() {
  const { batches, calls, titles } = useWords()
  const navigate = useNavigate()
  const tab = useSearchParam('tab')
  const phone = useSearchParam('phone')
  return (
    <>
      <PageHead title={titles['/make-call']} lead={calls.make.lead} />
      <Tabs
        label={batches.tabs}
        value={tab === 'batch' ? 'batch' : 'single'}
        onValueChange={(value) => void navigate({ to: '.', search: value === 'batch' ? { tab: 'batch' } : {}, replace: true })}
        tabs={[
          {
            value: 'single',
            label: batches.single,
            content: (
              <Card className="max-w-3xl">
                <CallForm key={phone} defaultTone={SINGLE_CALL_TONE_DEFAULT} {...(phone && { callee: phone })} />
              </Card>
            ),
          },
          {
            value: 'batch',
            label: batches.batch,
            content: (
              <Suspense fallback={<Skeleton className="h-96 rounded-base" />}>
                <BatchCalls objectivesInput={(props) => <ObjectivesInput {...props} />} />
              </Suspense>
            ),
          },
        ]}
      />
    </>
  )
}
