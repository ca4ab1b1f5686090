import type { CallerNumber } from '@parley/contract'
import { callerNumbersRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { onSubmitTexts } from '../../../lib/form.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { request, sentenceOf } from '../../../lib/server/http.ts'
import { read } from '../../../lib/server/queries.ts'
import { useWords } from '../../../words/index.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { AwaitedCode } from './AwaitedCode.tsx'
import { Loaded, Row, Rows, Section } from './Section.tsx'
import { useChange } from './useChange.ts'

/** While a call tells a code, its stage is asked for so often. */
const STAGE_EVERY_MS = 1500

/** Numbers that calls come from, and the verification of another. */
export function CallerNumbers({ userId }: { readonly userId: string }) {
  const { callerNumbers: words } = useWords().settings
  const loaded = useQuery({
    ...read(callerNumbersRoutes.list, { params: { id: userId } }),
    refetchInterval: ({ state }) => {
      const { verification } = state.data ?? {}
      return verification && verification.status !== 'over' ? STAGE_EVERY_MS : false
    },
  })
  return (
    <Section title={words.title} lead={words.lead}>
      <Loaded query={loaded} failed={words.loadFailed}>
        {({ numbers, verification }) => (
          <>
            <NumberList userId={userId} numbers={numbers} />
            {verification && <AwaitedCode key={verification.id} userId={userId} verification={verification} />}
            {(!verification || verification.status === 'over') && <NewNumber userId={userId} />}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function NumberList({ userId, numbers }: { readonly userId: string; readonly numbers: readonly CallerNumber[] }) {
  const { callerNumbers: words } = useWords().settings
  const [doomed, setDoomed] = useState<CallerNumber>()
  const changing = useChange({
    change: ({ phone, isDefault }: CallerNumber) =>
      request(callerNumbersRoutes.change, { params: { id: userId, phone }, body: { isDefault: !isDefault } }),
    affects: callerNumbersRoutes.list,
    failed: words.changeFailed,
  })
  const removing = useChange({
    change: ({ phone }: CallerNumber) =>
      request(callerNumbersRoutes.remove, { params: { id: userId, phone } }).finally(() => setDoomed(undefined)),
    affects: callerNumbersRoutes.list,
    done: words.removed,
    failed: words.removeFailed,
  })
  return (
    <>
      <Rows label={words.title} items={numbers} empty={words.none}>
        {(each) => (
          <NumberRow
            key={each.phone}
            number={each}
            pending={changing.isPending && changing.variables.phone === each.phone}
            onChange={() => changing.mutate(each)}
            onRemove={() => setDoomed(each)}
          />
        )}
      </Rows>
      <ConfirmDialog
        open={doomed !== undefined}
        onOpenChange={(open) => !open && setDoomed(undefined)}
        title={words.removeTitle}
        question={words.removeQuestion}
        confirm={words.remove}
        pending={removing.isPending}
        onConfirm={() => doomed && removing.mutate(doomed)}
      />
    </>
  )
}

interface NumberRowProps {
  readonly number: CallerNumber
  readonly pending: boolean
  readonly onChange: () => void
  readonly onRemove: () => void
}

function NumberRow({ number: { phone, kind, isDefault }, pending, onChange, onRemove }: NumberRowProps) {
  const { callerNumbers: words } = useWords().settings
  const { number } = phoneText(phone)
  const change = isDefault
    ? { text: words.stopDefault, label: words.stopDefaultOne(number) }
    : { text: words.makeDefault, label: words.makeDefaultOne(number) }
  return (
    <Row
      title={
        <span className="flex flex-wrap items-center gap-2 tabular">
          {number}
          {isDefault && <Badge tone="good">{words.isDefault}</Badge>}
        </span>
      }
      detail={words.kinds[kind]}
    >
      <div className="flex flex-wrap justify-end gap-1">
        <Button variant="quiet" size="small" pending={pending} aria-label={change.label} onClick={onChange}>
          {change.text}
        </Button>
        {kind === 'verified' && (
          <Button variant="quiet" size="small" aria-label={words.removeOne(number)} onClick={onRemove}>
            {words.remove}
          </Button>
        )}
      </div>
    </Row>
  )
}

function NewNumber({ userId }: { readonly userId: string }) {
  const { callerNumbers: words } = useWords().settings
  const starting = useChange({
    change: (phone: string) => request(callerNumbersRoutes.verify, { params: { id: userId }, body: { phone } }),
    affects: callerNumbersRoutes.list,
  })
  return (
    <form
      onSubmit={onSubmitTexts(['phone'], ({ phone }) => starting.isPending || starting.mutate(phone.trim()))}
      className="flex flex-wrap items-start gap-3"
    >
      <Field
        label={words.phone}
        hint={words.phoneHint}
        error={starting.error ? sentenceOf(starting.error, words.verifyFailed) : undefined}
        className="min-w-0 flex-1 basis-60"
      >
        <Input name="phone" type="tel" inputMode="tel" autoComplete="tel" required maxLength={40} className="tabular" />
      </Field>
      <Button type="submit" variant="secondary" pending={starting.isPending} className="sm:mt-7">
        {words.verify}
      </Button>
    </form>
  )
}
