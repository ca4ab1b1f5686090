import type { ApiKey } from '@parley/contract'
import { securityRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { exactDate } from '../../../lib/format/format.ts'
import { request } from '../../../lib/server/http.ts'
import { read } from '../../../lib/server/queries.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { CopyField } from '../../../ui/form/CopyField.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { Row, Rows } from './Section.tsx'
import { useChange } from './useChange.ts'

/** The newest key, masked. A new key is shown in full once; older ones work until revoked. */
export function ApiKeys({ userId }: { readonly userId: string }) {
  const { common, settings } = useWords()
  const { security } = settings
  const keys = useQuery(read(securityRoutes.apiKeys, { params: { id: userId } }))
  const creating = useChange({
    change: () => request(securityRoutes.createApiKey, { params: { id: userId }, body: {} }),
    affects: securityRoutes.apiKeys,
    failed: security.createFailed,
  })
  if (keys.error)
    return <ErrorState title={security.keysFailed} retrying={keys.isFetching} onRetry={() => void keys.refetch()} />
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
  const { security } = useWords().settings
  const [doomed, setDoomed] = useState<ApiKey>()
  const revoking = useChange({
    change: (key: ApiKey) =>
      request(securityRoutes.revokeApiKey, { params: { id: userId, keyId: key.id } }).finally(() =>
        setDoomed(undefined),
      ),
    affects: securityRoutes.apiKeys,
    done: security.revokedTitle,
    failed: security.revokeFailed,
  })
  if (keys.length === 0) return null
  return (
    <>
      <Rows label={security.keys} items={keys} empty={security.noKey}>
        {(key) => (
          <Row
            key={key.id}
            title={<span className="font-mono text-sm">{key.masked}</span>}
            detail={`${security.created(exactDate(key.createdAt))} · ${key.lastUsedAt ? security.used(exactDate(key.lastUsedAt)) : security.neverUsed}`}
          >
            <Button
              variant="quiet"
              size="small"
              aria-label={security.revokeKey(key.masked)}
              onClick={() => setDoomed(key)}
            >
              {security.revoke}
            </Button>
          </Row>
        )}
      </Rows>
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
