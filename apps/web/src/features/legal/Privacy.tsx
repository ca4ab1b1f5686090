import { useLegalTexts } from '../../words/legal.ts'
import { LegalPage } from './LegalPage.tsx'

export default function PrivacyPolicy() {
  return <LegalPage text={useLegalTexts().privacyPolicy} />
}
