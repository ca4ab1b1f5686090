import { ArrowLeft } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { buttonClasses } from '../../../../ui/Button.tsx'

/** A back link above a screen's heading. */
export function BackLink({ to, label }: { readonly to: '/billing' | '/checkout'; readonly label: string }) {
  return (
    <Link to={to} className={buttonClasses({ variant: 'quiet', size: 'small' }, 'mb-4 -ml-3')}>
      <ArrowLeft className="size-4" aria-hidden="true" />
      {label}
    </Link>
  )
}
