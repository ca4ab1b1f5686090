import { privacyPolicy } from '../../../lib/words/en/legal.ts'
import { LegalPage } from './LegalPage.tsx'

export default function PrivacyPolicy() {
  return <LegalPage text={privacyPolicy} />
}
