import { contactsRoutes } from '@parley/contract/page'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { count } from '../../lib/format/format.ts'
import { request, sentenceOf } from '../../lib/server/http.ts'
import { phoneText } from '../../lib/format/phone.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { duplicatesQuery, useContactsChanged } from './api.ts'

/** Reports numbers saved more than once, and merges them. */
export function Duplicates() {
  const { common, contacts } = useWords()
  const words = contacts.duplicates
  const { id } = useSignedInUser()
  const changed = useContactsChanged()
  const [open, setOpen] = useState(false)
  const { data: groups = [] } = useQuery(duplicatesQuery(id))
  const merging = useMutation({
    mutationFn: async (phone: string | undefined) =>
      request(contactsRoutes.merge, { params: { id }, body: phone ? { phone } : {} }),
    onSuccess: async () => {
      toast({ tone: 'success', title: words.merged })
      await changed()
    },
    onError: (error) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, words.failed) }),
  })
  if (groups.length === 0 && !open) return null
  return (
    <>
      {groups.length > 0 && (
        <Notice tone="info" className="mb-6">
          <div className="flex flex-wrap items-center justify-between gap-2">
            {words.notice(groups.length, count(groups.length))}
            <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
              {words.review}
            </Button>
          </div>
        </Notice>
      )}
      <Dialog open={open} onOpenChange={setOpen} title={words.title} lead={words.lead}>
        {groups.length === 0 && <p className="text-muted">{words.none}</p>}
        <ul className="divide-y divide-line">
          {groups.map((group) => {
            const { number } = phoneText(group.phone)
            return (
              <li key={group.phone} className="flex items-center justify-between gap-4 py-3">
                <div className="min-w-0">
                  <p className="tabular font-medium">{number}</p>
                  <p className="text-sm text-muted">{group.contacts.map(({ name }) => name).join(' · ')}</p>
                </div>
                <Button
                  variant="secondary"
                  size="small"
                  aria-label={words.mergeNumber(number)}
                  pending={merging.isPending && merging.variables === group.phone}
                  onClick={() => merging.mutate(group.phone)}
                >
                  {words.merge}
                </Button>
              </li>
            )
          })}
        </ul>
        <div className="mt-4 flex justify-end gap-3">
          {groups.length > 1 ? (
            <Button
              pending={merging.isPending && merging.variables === undefined}
              onClick={() => merging.mutate(undefined)}
            >
              {words.mergeAll}
            </Button>
          ) : (
            <Button variant="secondary" onClick={() => setOpen(false)}>
              {common.close}
            </Button>
          )}
        </div>
      </Dialog>
    </>
  )
}
