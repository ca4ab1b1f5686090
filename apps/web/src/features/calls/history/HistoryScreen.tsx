import { useHead } from '../../../lib/heads.ts'
import { PageHead } from '../../../ui/Card.tsx'
import { CallHistory } from './CallHistory.tsx'

export default function HistoryScreen() {
  return (
    <>
      <PageHead {...useHead('/call-history')} />
      <CallHistory />
    </>
  )
}
