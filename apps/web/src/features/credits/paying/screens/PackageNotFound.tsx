import { Link } from '@tanstack/react-router'
import { useWords } from '../../../../words/index.ts'
import { ButtonLink } from '../../../../ui/Button.tsx'
import { EmptyState } from '../../../../ui/states.tsx'

export function PackageNotFound() {
  const { newPayment } = useWords().credits
  return (
    <EmptyState title={newPayment.notFound} hint={newPayment.notFoundHint}>
      <ButtonLink>
        <Link to="/billing">{newPayment.back}</Link>
      </ButtonLink>
    </EmptyState>
  )
}
