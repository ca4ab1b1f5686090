import { QUICK_CALL_TONE_DEFAULT, TONES } from '@parley/contract'
import { useWords } from '../../../lib/words/index.ts'
import { Card, CardTitle } from '../../../ui/Card.tsx'
import { CallForm } from './CallForm.tsx'

const QUICK_TONES = TONES.slice(0, 4)

export function QuickCall() {
  const { form } = useWords().calls
  return (
    <Card aria-labelledby="quick-call">
      <CardTitle id="quick-call" title={form.title} lead={form.lead} />
      <CallForm tones={QUICK_TONES} defaultTone={QUICK_CALL_TONE_DEFAULT} />
    </Card>
  )
}
