import { CALLER_CODE_DIGITS, type CallerVerification } from '@parley/contract'
import { callerNumbersRoutes } from '@parley/contract/page'
import { onSubmitTexts } from '../../../lib/form.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { request, sentenceOf } from '../../../lib/server/http.ts'
import { saidByServer, useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useChange } from './useChange.ts'

interface AwaitedCodeProps {
  readonly userId: string
  readonly verification: CallerVerification
}

/** A call that tells a code: how it goes, and the field for what was heard. */
export function AwaitedCode({ userId, verification }: AwaitedCodeProps) {
  const { callerNumbers: words } = useWords().settings
  const { phone, status, endReason, endMessage, heard, triesLeft } = verification
  const { number } = phoneText(phone)
  const calling = useChange({
    change: () => request(callerNumbersRoutes.verify, { params: { id: userId }, body: { phone } }),
    affects: callerNumbersRoutes.list,
    failed: words.verifyFailed,
  })
  // A call that did not come about: nobody heard a code.
  const failure = status === 'over' && endReason !== null && UNHEARD.has(endReason) ? endMessage : null
  const isOver = status === 'over'
  return (
    <div className="grid gap-4 rounded-base border border-line p-4">
      <Notice tone={failure === null ? 'info' : 'error'}>
        <p>{words.stages[status](number)}</p>
        {failure !== null && (
          <p className="mt-1 text-sm">
            {saidByServer(failure, ({ endings }) => (endReason ? endings[endReason] : failure))}
          </p>
        )}
      </Notice>
      {heard !== null && (
        <p className="text-sm text-muted">
          <span>{words.simulated}</span> <q className="text-ink">{heard}</q>
        </p>
      )}
      {triesLeft > 0 && failure === null && <CodeField userId={userId} />}
      {isOver && (
        <div>
          <Button variant="quiet" size="small" pending={calling.isPending} onClick={() => calling.mutate()}>
            {words.again}
          </Button>
        </div>
      )}
    </div>
  )
}

const UNHEARD: ReadonlySet<string> = new Set([
  'canceled',
  'busy',
  'no_answer',
  'not_in_service',
  'carrier_failure',
  'not_allowed',
  'interrupted',
  'opted_out',
])

function CodeField({ userId }: { readonly userId: string }) {
  const { callerNumbers: words } = useWords().settings
  const confirming = useChange({
    change: (code: string) => request(callerNumbersRoutes.confirm, { params: { id: userId }, body: { code } }),
    affects: callerNumbersRoutes.list,
    done: words.confirmed,
  })
  return (
    <form
      onSubmit={onSubmitTexts(
        ['code'],
        ({ code }) => confirming.isPending || confirming.mutate(code.replaceAll(/\D/g, '')),
      )}
      className="flex flex-wrap items-start gap-3"
    >
      <Field
        label={words.code}
        error={confirming.error ? sentenceOf(confirming.error, words.confirmFailed) : undefined}
        className="basis-52"
      >
        <Input
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          minLength={CALLER_CODE_DIGITS}
          maxLength={CALLER_CODE_DIGITS + 5}
          className="tabular"
        />
      </Field>
      <Button type="submit" pending={confirming.isPending} className="sm:mt-7">
        {words.confirm}
      </Button>
    </form>
  )
}
