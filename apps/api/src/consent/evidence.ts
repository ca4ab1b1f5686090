import { MARKETING_PERMISSIONS, type NewConsentEvidence } from '@parley/contract'
import { AppError } from '../platform/errors.ts'

const ENOUGH: ReadonlySet<string> = new Set(MARKETING_PERMISSIONS)

/** Throws for marketing without permission or without details of how it was given. */
export function checkEvidence({ marketing, permission, details }: NewConsentEvidence): void {
  if (!marketing) return
  if (!ENOUGH.has(permission)) {
    const message = 'Marketing calls need the consent of everybody on the list, given in writing or aloud.'
    throw new AppError('consent_required', message, { field: 'consent.permission' })
  }
  if (details.trim() === '') {
    throw new AppError('consent_required', 'Say when and how the contacts agreed to marketing calls.', {
      field: 'consent.details',
    })
  }
}
