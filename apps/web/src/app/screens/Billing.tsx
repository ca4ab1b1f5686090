import BillingScreen from '../../features/credits/billing/BillingScreen.tsx'
import { ContactSales } from '../../features/inquiries/ContactSales.tsx'

export default function Billing() {
  return <BillingScreen beneathPackages={<ContactSales />} />
}
