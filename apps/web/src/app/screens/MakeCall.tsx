import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { ObjectivesInput } from '../../features/calls/quick-call/ObjectivesInput.tsx'
import { SingleCall } from '../../features/calls/quick-call/SingleCall.tsx'
import { useSearchParam } from '../../lib/search.ts'
import { sharedPhone } from '../../lib/sharedPhone.ts'
import { useWords } from '../../lib/words/index.ts'
import { PageHead } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/Tabs.tsx'

const BatchCalls = lazy(async () => ({ default: (await import('../../features/batches/BatchCalls.tsx')).BatchCalls }))

/** One call, or one for everybody on a list. The address tells which, and may fill in the number. */
export default function MakeCall() {
  const { batches, calls, titles } = useWords()
  const navigate = useNavigate()
  const tab = useSearchParam('tab')
  useSharedPhone()
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
            content: <SingleCall />,
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

/** What another app shared, or a phone link that this one opens, becomes the number of the form. */
function useSharedPhone(): void {
  const navigate = useNavigate()
  const phone = useSearchParam('phone')
  const texts = [useSearchParam('url'), useSearchParam('text'), useSearchParam('title')]
  const isShared = texts.some((text) => text !== undefined) || phone?.startsWith('tel:') === true
  const number = isShared ? sharedPhone([phone, ...texts]) : undefined
  useEffect(() => {
    if (isShared) void navigate({ to: '.', search: number === undefined ? {} : { phone: number }, replace: true })
  }, [isShared, navigate, number])
}
