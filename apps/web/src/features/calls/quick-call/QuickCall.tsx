import { QUICK_CALL_TONE_DEFAULT, TONES } from '@parley/contract'
import { type ReactNode, use } from 'react'
import { Drawn } from '../../../lib/drawn.ts'
import { useWords } from '../../../words/index.ts'
import { Card, CardTitle } from '../../../ui/Card.tsx'
import { useCallForm } from '../placing/useCallForm.ts'
import { TemplatePicker } from '../templates/TemplatePicker.tsx'
import { CallForm } from './CallForm.tsx'

const QUICK_TONES = TONES.slice(0, 4)

/** On a cold start the fields are drawn a step after their card. */
export function QuickCall() {
  const areFieldsDue = use(Drawn) >= 2
  return (
    <Card aria-labelledby="quick-call" aria-busy={!areFieldsDue} className={areFieldsDue ? '' : 'min-h-200'}>
      {areFieldsDue ? <Form /> : <Title />}
    </Card>
  )
}

function Title({ aside }: { readonly aside?: ReactNode }) {
  const { form } = useWords().calls
  return <CardTitle id="quick-call" title={form.title} lead={form.lead} aside={aside} />
}

function Form() {
  const state = useCallForm('quick', QUICK_CALL_TONE_DEFAULT)
  return (
    <>
      <Title aside={<TemplatePicker onUse={state.startFrom} className="max-sm:hidden" />} />
      <TemplatePicker onUse={state.startFrom} className="mb-5 w-full sm:hidden" />
      <CallForm state={state} tones={QUICK_TONES} />
    </>
  )
}
