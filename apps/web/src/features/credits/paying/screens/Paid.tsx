import { totalCredits, type CreditPackage } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { count } from '../../../../lib/format/format.ts'
import { useWords } from '../../../../words/index.ts'
import { ButtonLink } from '../../../../ui/Button.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { recordedBy, recordingQuery } from '../../recording.ts'
import { useAnnounced } from '../../useAnnounced.ts'

/** The payment succeeded. Its credits are being recorded; if that fails, the webhook or reconciliation adds them. */
export function Paid({ intentId, item }: { readonly intentId: string; readonly item: CreditPackage }) {
  const { added, newPayment } = useWords().credits
  const number = totalCredits(item)
  const { data, error } = useQuery(recordingQuery(intentId, 'success', number))
  const recorded = recordedBy(data, error)
  useAnnounced(recorded === 'added' || recorded === 'already' ? recorded : undefined, number)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const messages = {
    added: added(number, count(number)),
    already: added(number, count(number)),
    later: newPayment.recordedLate,
    unknown: newPayment.recordFailed,
  }
  return (
    <Card className="max-w-xl">
      <CircleCheck className="size-10 text-brand" aria-hidden="true" />
      <h2 ref={heading} tabIndex={-1} className="mt-4 text-xl font-semibold">
        {newPayment.paidTitle}
      </h2>
      <output className="mt-1 block text-muted">{recorded ? messages[recorded] : newPayment.recording}</output>
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink>
          <Link to="/make-call">{newPayment.makeCall}</Link>
        </ButtonLink>
        <ButtonLink variant="secondary">
          <Link to="/billing">{newPayment.toBilling}</Link>
        </ButtonLink>
        <ButtonLink variant="secondary">
          <Link to="/dashboard">{newPayment.toDashboard}</Link>
        </ButtonLink>
      </div>
    </Card>
  )
}
