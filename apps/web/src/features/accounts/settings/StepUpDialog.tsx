import type { StepUp, StepUpWay } from '@parley/contract'
import { confirmationsRoutes as routes } from '@parley/contract/page'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { onSubmitTexts } from '../../../lib/form.ts'
import { codeOf, request, sentenceOf } from '../../../lib/server/http.ts'
import { BEGUN_ONCE, keyOf } from '../../../lib/server/queries.ts'
import { settleProof, useProofAsked } from '../../../lib/server/stepUp.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input, PasswordInput } from '../../../ui/form/Input.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { knowsPasskeys, provePasskey, wasDismissed } from '../passkeys.ts'
import { Loaded } from './Section.tsx'

/** Asks for a proof of identity; the interrupted request is then repeated. */
export default function StepUpDialog() {
  const { stepUp: words } = useWords().settings
  const isAsked = useProofAsked()
  return (
    <Dialog open={isAsked} onOpenChange={(open) => !open && settleProof(false)} title={words.title} lead={words.lead}>
      <Proof />
    </Dialog>
  )
}

function Proof() {
  const { stepUp: words } = useWords().settings
  const loaded = useQuery({
    queryKey: keyOf(routes.readStepUp),
    queryFn: () => request(routes.readStepUp, {}),
    ...BEGUN_ONCE,
  })
  return (
    <Loaded query={loaded} failed={words.failed}>
      {({ ways }) => <Ways ways={ways} />}
    </Loaded>
  )
}

const FIELDS = { password: 'password', code: 'code', email: 'emailCode' } as const
type Typed = keyof typeof FIELDS
const isTyped = (way: StepUpWay): way is Typed => way in FIELDS

function Ways({ ways }: Pick<StepUp, 'ways'>) {
  const { stepUp: words } = useWords().settings
  const typed = ways.filter(isTyped)
  const [chosen = 'password', setChosen] = useState(typed[0])
  const proving = useMutation({
    mutationFn: (value: string) => request(routes.stepUp, { body: { [FIELDS[chosen]]: value } }),
    onSuccess: () => settleProof(true),
  })
  const mailing = useMutation({ mutationFn: () => request(routes.mailStepUpCode, {}) })
  const failure = proving.error ?? mailing.error
  const choose = (way: Typed) => {
    proving.reset()
    setChosen(way)
  }
  return (
    <div className="grid gap-5">
      <form
        onSubmit={onSubmitTexts(['proof'], ({ proof }) => proving.isPending || proving.mutate(proof))}
        className="grid gap-4"
      >
        {failure && (
          <Notice tone="error">
            {codeOf(failure) === 'wrong_credentials' ? words.wrongPassword : sentenceOf(failure, words.failed)}
          </Notice>
        )}
        {chosen === 'email' && mailing.isSuccess && <Notice tone="info">{words.mailed}</Notice>}
        <Field key={chosen} label={words.fields[chosen]}>
          {chosen === 'password' ? (
            <PasswordInput name="proof" autoComplete="current-password" required />
          ) : (
            <Input name="proof" autoComplete="one-time-code" required maxLength={40} className="tabular" />
          )}
        </Field>
        <Button type="submit" pending={proving.isPending}>
          {words.confirm}
        </Button>
      </form>
      {chosen === 'email' && (
        <Button variant="secondary" pending={mailing.isPending} onClick={() => mailing.mutate()}>
          {words.mail}
        </Button>
      )}
      {ways.includes('passkey') && knowsPasskeys() && <PasskeyProof />}
      {typed
        .filter((way) => way !== chosen)
        .map((way) => (
          <button key={way} type="button" className="link justify-self-start text-sm" onClick={() => choose(way)}>
            {words.instead[way]}
          </button>
        ))}
    </div>
  )
}

function PasskeyProof() {
  const { stepUp: words } = useWords().settings
  const proving = useMutation({ mutationFn: provePasskey, onSuccess: () => settleProof(true) })
  const failure = proving.error && !wasDismissed(proving.error) && sentenceOf(proving.error, words.failed)
  return (
    <>
      {failure && <Notice tone="error">{failure}</Notice>}
      <Button variant="secondary" pending={proving.isPending} onClick={() => proving.mutate()}>
        {words.passkey}
      </Button>
    </>
  )
}
