import { useWords } from '../../../lib/words/index.ts'
import { PageHead } from '../../../ui/Card.tsx'
import { CallHistory } from './CallHistory.tsx'

export default function HistoryScreen() {
  const { calls, titles } = useWords()
  return (
    <>
      <PageHead title={titles['/call-history']} lead={calls.history.lead} />
      <CallHistory />
    </>
  )
}
