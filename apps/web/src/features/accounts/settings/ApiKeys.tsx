import { securityRoutes, type ApiKey } from '@parley/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { exactDate } from '../../../lib/format.ts'
import { request, sentenceOf } from '../../../lib/http.ts'
import { read } from '../../../lib/queries.ts'
import { useWords } from '../../../lib/words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { CopyField } from '../../../ui/CopyField.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Input } from '../../../ui/Input.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.ts'

const keysQuery = (userId: string) => read(securityRoutes.apiKeys, { params: { id: userId } })

/** The newest key, masked; a new one is shown whole this once, and older ones work until they are revoked. */
export function ApiKeys({ userId }: { readonly userId: string }) {
  const { common, settings } = useWords()
  const { security } = settings
  const client = useQueryClient()
  const keys = useQuery(keysQuery(userId))
  const creating = useMutation({
    mutationFn: () => request(securityRoutes.createApiKey, { params: { id: userId }, body: {} }),
    onSuccess: () => client.invalidateQueries({ queryKey: keysQuery(userId).queryKey }),
    onError: (error) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, security.createFailed) }),
  })
  if (keys.error) return <ErrorState title={security.keysFailed} retrying={keys.isFetching} onRetry={() => void keys.refetch()} />
  return (
    <div className="grid gap-5">
      {creating.data ? (
        <CopyField label={security.newKey} hint={security.newKeyHint} value={creating.data.key} />
      ) : (
        <Field label={security.apiKey} hint={security.apiKeyHint}>
          <Input
            readOnly
            value={keys.data?.[0]?.masked ?? ''}
            placeholder={keys.isPending ? common.loading : security.noKey}
            className="font-mono text-sm"
          />
        </Field>
      )}
      <div>
        <Button variant="secondary" pending={creating.isPending} onClick={() => creating.mutate()}>
          {security.generate}
        </Button>
      </div>
      {keys.isPending ? <Skeleton className="h-12" /> : <KeyList userId={userId} keys={keys.data} />}
    </div>
  )
}

function KeyList({ userId, keys }: { readonly userId: string; readonly keys: readonly ApiKey[] }) {
  const { common, settings } = useWords()
  const { security } = settings
  const client = useQueryClient()
  const [doomed, setDoomed] = useState<ApiKey>()
  const revoking = useMutation({
    mutationFn: (key: ApiKey) => request(securityRoutes.revokeApiKey, { params: { id: userId, keyId: key.id } }),
    onSuccess: async () => {
      toast({ tone: 'success', title: security.revokedTitle })
      await client.invalidateQueries({ queryKey: keysQuery(userId).queryKey })
    },
    onError: (error) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, security.revokeFailed) }),
    onSettled: () => setDoomed(undefined),
  })
  if (keys.length === 0) return null
  return (
    <>
      <ul aria-label={security.keys} className="divide-y divide-line border-y border-line">
        {keys.map((key) => (
          <li key={key.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
            <div className="min-w-0">
              <p className="truncate font-mono text-sm">{key.masked}</p>
              <p className="text-sm text-muted">
                {security.created(exactDate(key.createdAt))}
                {' · '}
                {key.lastUsedAt ? security.used(exactDate(key.lastUsedAt)) : security.neverUsed}
              </p>
            </div>
            <Button variant="quiet" size="small" aria-label={security.revokeKey(key.masked)} onClick={() => setDoomed(key)}>
              {security.revoke}
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={doomed !== undefined}
        onOpenChange={(open) => !open && setDoomed(undefined)}
        title={security.revokeTitle}
        question={security.revokeQuestion}
        confirm={security.revoke}
        pending={revoking.isPending}
        onConfirm={() => doomed && revoking.mutate(doomed)}
      />
    </>
  )
}
