import type { Passkey } from '@parley/contract'
import { securityRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { exactDate } from '../../../lib/format/format.ts'
import { onSubmitTexts } from '../../../lib/form.ts'
import { request } from '../../../lib/server/http.ts'
import { read } from '../../../lib/server/queries.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { knowsPasskeys, makePasskey, wasDismissed } from '../passkeys.ts'
import { Loaded, Row, Rows, Section } from './Section.tsx'
import { useChange } from './useChange.ts'

/** Passkeys: sign-in by a device, without a password. */
export function Passkeys({ userId }: { readonly userId: string }) {
  const { passkeys } = useWords().settings
  const loaded = useQuery(read(securityRoutes.passkeys, { params: { id: userId } }))
  return (
    <Section title={passkeys.title} lead={passkeys.lead}>
      <Loaded query={loaded} failed={passkeys.failed}>
        {(list) => <PasskeyList userId={userId} passkeys={list} />}
      </Loaded>
      {knowsPasskeys() ? <NewPasskey userId={userId} /> : <p className="text-sm text-muted">{passkeys.unknown}</p>}
    </Section>
  )
}

function NewPasskey({ userId }: { readonly userId: string }) {
  const { passkeys } = useWords().settings
  const adding = useChange({
    change: async (name: string) => {
      try {
        return await makePasskey(userId, name)
      } catch (error) {
        if (wasDismissed(error)) return undefined
        throw error
      }
    },
    affects: securityRoutes.passkeys,
    failed: passkeys.addFailed,
  })
  return (
    <form
      onSubmit={onSubmitTexts(
        ['name'],
        ({ name }) => adding.isPending || adding.mutate(name.trim() || passkeys.defaultName),
      )}
      className="flex flex-wrap items-end gap-3"
    >
      <Field label={passkeys.name} className="min-w-0 flex-1 basis-52">
        <Input name="name" maxLength={80} defaultValue={passkeys.defaultName} autoComplete="off" />
      </Field>
      <Button type="submit" variant="secondary" pending={adding.isPending}>
        {passkeys.add}
      </Button>
    </form>
  )
}

function PasskeyList({ userId, passkeys: list }: { readonly userId: string; readonly passkeys: readonly Passkey[] }) {
  const { passkeys } = useWords().settings
  const [doomed, setDoomed] = useState<Passkey>()
  const removing = useChange({
    change: ({ id: passkeyId }: Passkey) =>
      request(securityRoutes.removePasskey, { params: { id: userId, passkeyId } }).finally(() => setDoomed(undefined)),
    affects: securityRoutes.passkeys,
    done: passkeys.removed,
    failed: passkeys.removeFailed,
  })
  return (
    <>
      <Rows label={passkeys.title} items={list} empty={passkeys.none}>
        {(passkey) => (
          <Row
            key={passkey.id}
            title={passkey.name}
            detail={passkeys.used(exactDate(passkey.createdAt), passkey.lastUsedAt && exactDate(passkey.lastUsedAt))}
          >
            <Button
              variant="quiet"
              size="small"
              aria-label={passkeys.removeOne(passkey.name)}
              onClick={() => setDoomed(passkey)}
            >
              {passkeys.remove}
            </Button>
          </Row>
        )}
      </Rows>
      <ConfirmDialog
        open={doomed !== undefined}
        onOpenChange={(open) => !open && setDoomed(undefined)}
        title={passkeys.removeTitle}
        question={passkeys.removeQuestion}
        confirm={passkeys.remove}
        pending={removing.isPending}
        onConfirm={() => doomed && removing.mutate(doomed)}
      />
    </>
  )
}
