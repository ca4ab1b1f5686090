import { termsOfService } from '../../../lib/words/en/legal.ts'
import { LegalPage } from './LegalPage.tsx'

export default function TermsOfService() {
  return <LegalPage text={termsOfService} />
}
