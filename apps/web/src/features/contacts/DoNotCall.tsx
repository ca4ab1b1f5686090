import type { DoNotCallEntry } from '@parley/contract'
import { consentRoutes } from '@parley/contract/page'
import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { fetchMore } from '../../lib/server/fetchMore.ts'
import { count } from '../../lib/format/format.ts'
import { onSubmitTexts } from '../../lib/form.ts'
import { request, sentenceOf } from '../../lib/server/http.ts'
import { phoneText } from '../../lib/format/phone.ts'
import { keyOf } from '../../lib/server/queries.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { upload } from '../../lib/server/upload.ts'
import { useSettled } from '../../lib/useSettled.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { FileButton } from '../../ui/form/FileButton.tsx'
import { Input } from '../../ui/form/Input.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { AllowAgain } from './AllowAgain.tsx'
import { doNotCallQuery } from './api.ts'

/** The do-not-call list: shown, added to, imported and removed from. */
export function DoNotCall() {
  const { dnc } = useWords().contacts
  const { id } = useSignedInUser()
  const [typed, setTyped] = useState('')
  const [freed, setFreed] = useState<DoNotCallEntry>()
  const q = useSettled(typed.trim())
  const list = useInfiniteQuery({ ...doNotCallQuery(id, q), placeholderData: keepPreviousData })
  const entries = list.data?.items ?? []
  return (
    <div className="max-w-3xl">
      <p className="mb-5 text-muted">{dnc.lead}</p>
      <AddNumber />
      <Field label={dnc.search} className="my-5 max-w-sm">
        <Input type="search" inputMode="tel" value={typed} onChange={({ target }) => setTyped(target.value)} />
      </Field>
      {list.isError && !list.data && (
        <ErrorState title={dnc.failedTitle} retrying={list.isFetching} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <Skeleton className="h-40 rounded-base" />}
      {list.data && entries.length === 0 && <EmptyState title={dnc.emptyTitle} hint={dnc.emptyHint} />}
      {entries.length > 0 && (
        <ul className="divide-y divide-line rounded-base border border-line bg-surface shadow-soft">
          {entries.map((entry) => (
            <Entry key={entry.phone} entry={entry} onFree={() => setFreed(entry)} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-4"
          pending={list.isFetchingNextPage}
          onClick={() => void fetchMore(list)}
        >
          {dnc.more}
        </Button>
      )}
      {freed && <AllowAgain entry={freed} onClose={() => setFreed(undefined)} />}
    </div>
  )
}

function Entry({ entry, onFree }: { readonly entry: DoNotCallEntry; readonly onFree: () => void }) {
  const { dnc } = useWords().contacts
  const { number, country } = phoneText(entry.phone)
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-3 sm:px-5">
      <div className="min-w-0">
        <p className="tabular font-medium">{number}</p>
        <p className="text-sm text-muted">
          {dnc.sources[entry.source]} · <TimeAgo at={entry.createdAt} />
          {country ? ` · ${country}` : ''}
        </p>
        {entry.quote && <q className="mt-1 block text-sm">{entry.quote}</q>}
      </div>
      <Button variant="quiet" size="small" aria-label={dnc.removeNumber(number)} onClick={onFree}>
        {dnc.remove}
      </Button>
    </li>
  )
}

function AddNumber() {
  const { common, contacts } = useWords()
  const { dnc } = contacts
  const { id } = useSignedInUser()
  const client = useQueryClient()
  const changed = () => client.invalidateQueries({ queryKey: keyOf(consentRoutes.list) })
  const showError = (otherwise: string) => (error: Error) =>
    toast({ tone: 'error', title: common.error, description: sentenceOf(error, otherwise) })
  const adding = useMutation({
    mutationFn: async (phone: string) => request(consentRoutes.add, { params: { id }, body: { phone } }),
    onSuccess: async () => {
      toast({ tone: 'success', title: dnc.added })
      await changed()
    },
    onError: showError(dnc.addFailed),
  })
  const importing = useMutation({
    mutationFn: async (file: File) =>
      upload({ route: consentRoutes.import, params: { id }, query: { fileName: file.name }, file }),
    onSuccess: async ({ added, known }) => {
      toast({ tone: 'success', title: dnc.imported(count(added), count(known)) })
      await changed()
    },
    onError: showError(dnc.importFailed),
  })
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={onSubmitTexts(['phone'], ({ phone }) => adding.mutate(phone))}
    >
      <Field label={dnc.phone} className="min-w-56 flex-1">
        <Input name="phone" type="tel" inputMode="tel" autoComplete="off" required maxLength={40} className="tabular" />
      </Field>
      <Button type="submit" pending={adding.isPending} icon={<Ban className="size-4" aria-hidden="true" />}>
        {dnc.add}
      </Button>
      <FileButton
        accept=".csv,.json"
        label={dnc.import}
        pending={importing.isPending}
        onFile={(file) => importing.mutate(file)}
      >
        {dnc.import}
      </FileButton>
    </form>
  )
}
