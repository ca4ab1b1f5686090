import { useNavigate } from '@tanstack/react-router'
import { type ComponentProps, Suspense, useEffect } from 'react'
import { openCall } from '../../features/calls/live/openCall.ts'
import { WithMandates } from '../../features/calls/mandate/WithMandates.tsx'
import { PhoneNotice } from '../../features/calls/placing/PhoneNotice.tsx'
import { ObjectivesInput } from '../../features/calls/quick-call/ObjectivesInput.tsx'
import { SingleCall } from '../../features/calls/quick-call/SingleCall.tsx'
import { TemplatePicker } from '../../features/calls/templates/TemplatePicker.tsx'
import { useSearchParam } from '../../lib/search.ts'
import { sharedPhone } from '../../lib/format/sharedPhone.ts'
import { useHead } from '../../lib/heads.ts'
import { lazyComponent } from '../../lib/lazyComponent.ts'
import { useWords } from '../../words/index.ts'
import { PageHead } from '../../ui/Card.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { Tabs } from '../../ui/Tabs.tsx'

/** Parts that the batch form shares with the single call's. */
const BATCH_PARTS: ComponentProps<typeof BatchCalls>['parts'] = {
  objectivesInput: ({ mandates, onMandates, purpose, language, ...input }) => (
    <WithMandates
      order={{ purpose, objectives: input.objectives, language }}
      mandates={mandates}
      onMandates={onMandates}
    >
      {(beneath) => <ObjectivesInput {...input} beneath={beneath} />}
    </WithMandates>
  ),
  templatePicker: (onUse) => <TemplatePicker onUse={onUse} />,
}

const BatchCalls = lazyComponent(async () => ({
  default: (await import('../../features/batches/BatchCalls.tsx')).BatchCalls,
}))

/** One call, or a batch. The address tells which, and may contain the number. */
export default function MakeCall() {
  const { batches } = useWords()
  const navigate = useNavigate()
  const tab = useSearchParam('tab')
  useSharedPhone()
  // The other query parameters are kept when the tab changes.
  const turnTo = (value: string) => void navigate({ to: '.', search: (now) => ({ ...now, tab: value }), replace: true })
  return (
    <>
      <PageHead {...useHead('/make-call')} />
      <PhoneNotice />
      <Tabs
        label={batches.tabs}
        value={tab === 'batch' ? 'batch' : 'single'}
        onValueChange={turnTo}
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
                <BatchCalls parts={BATCH_PARTS} onOpenCall={openCall} />
              </Suspense>
            ),
          },
        ]}
      />
    </>
  )
}

/** A number shared by another app or a tel: link fills the form. */
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
