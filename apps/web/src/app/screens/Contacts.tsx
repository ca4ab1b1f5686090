import { CallEntry } from '../../features/calls/history/CallEntry.tsx'
import { Contacts } from '../../features/contacts/Contacts.tsx'

export default function ContactsScreen() {
  return <Contacts renderCall={(call) => <CallEntry call={call} />} />
}
