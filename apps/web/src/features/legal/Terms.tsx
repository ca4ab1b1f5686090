import { useLegalTexts } from '../../words/legal.ts'
import { LegalPage } from './LegalPage.tsx'

export default function TermsOfService() {
  return <LegalPage text={useLegalTexts().termsOfService} />
}
