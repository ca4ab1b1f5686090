import { CallLine } from '../../features/calls/history/CallLine.tsx'
import { Contacts } from '../../features/contacts/Contacts.tsx'

export default function ContactsScreen() {
  return <Contacts line={(call) => <CallLine call={call} />} />
}
