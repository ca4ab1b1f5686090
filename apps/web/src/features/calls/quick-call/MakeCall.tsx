import { SINGLE_CALL_TONE_DEFAULT } from '@parley/contract'
import { useWords } from '../../../lib/words/index.ts'
import { Card, PageHead } from '../../../ui/Card.tsx'
import { CallForm } from './CallForm.tsx'

export default function MakeCall() {
  const { calls, titles } = useWords()
  return (
    <>
      <PageHead title={titles['/make-call']} lead={calls.make.lead} />
      <Card className="max-w-3xl">
        <CallForm defaultTone={SINGLE_CALL_TONE_DEFAULT} />
      </Card>
    </>
  )
}
