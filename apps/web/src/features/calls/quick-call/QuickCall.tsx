import { QUICK_CALL_TONE_DEFAULT, TONES } from '@parley/contract'
import { useWords } from '../../../lib/words/index.ts'
import { Card, CardTitle } from '../../../ui/Card.tsx'
import { useCallForm } from '../placing/useCallForm.ts'
import { TemplatePicker } from '../templates/TemplatePicker.tsx'
import { CallForm } from './CallForm.tsx'

const QUICK_TONES = TONES.slice(0, 4)

export function QuickCall() {
  const { form } = useWords().calls
  const state = useCallForm(QUICK_CALL_TONE_DEFAULT)
  return (
    <Card aria-labelledby="quick-call">
      <CardTitle
        id="quick-call"
        title={form.title}
        lead={form.lead}
        aside={<TemplatePicker onUse={state.startFrom} className="max-sm:hidden" />}
      />
      <TemplatePicker onUse={state.startFrom} className="mb-5 w-full sm:hidden" />
      <CallForm state={state} tones={QUICK_TONES} />
    </Card>
  )
}
