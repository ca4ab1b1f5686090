import type { Call } from '@parley/contract'
import { FileUp, Plus } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useHead } from '../../lib/heads.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { PageHead } from '../../ui/Card.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ContactDialog } from './ContactDialog.tsx'
import { ContactList } from './ContactList.tsx'
import { DoNotCall } from './DoNotCall.tsx'

const Files = lazy(() => import('./Files.tsx'))

/** Contacts and the do-not-call list. */
export function Contacts({ renderCall }: { readonly renderCall: (call: Call) => ReactNode }) {
  const { contacts } = useWords()
  const [open, setOpen] = useState<'add' | 'files'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <PageHead {...useHead('/contacts')}>
        <div className="flex flex-wrap gap-3">
          <Button
            variant="secondary"
            icon={<FileUp className="size-4" aria-hidden="true" />}
            onClick={() => setOpen('files')}
          >
            {contacts.files.open}
          </Button>
          <Button icon={<Plus className="size-5" aria-hidden="true" />} onClick={() => setOpen('add')}>
            {contacts.add}
          </Button>
        </div>
      </PageHead>
      <Tabs
        label={contacts.dnc.tabs}
        tabs={[
          {
            value: 'people',
            label: contacts.dnc.people,
            content: <ContactList renderCall={renderCall} onAdd={() => setOpen('add')} />,
          },
          { value: 'never', label: contacts.dnc.tab, content: <DoNotCall /> },
        ]}
      />
      {open === 'add' && <ContactDialog onClose={close} />}
      {open === 'files' && (
        <Suspense>
          <Files onClose={close} />
        </Suspense>
      )}
    </>
  )
}
