import { BRAND } from '@parley/contract'
import { securityRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { saveText } from '../../../lib/files.ts'
import { onSubmitTexts } from '../../../lib/form.ts'
import { request, sentenceOf } from '../../../lib/server/http.ts'
import { BEGUN_ONCE, keyOf } from '../../../lib/server/queries.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { CopyField } from '../../../ui/form/CopyField.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { QrCode } from './QrCode.tsx'
import { Loaded } from './Section.tsx'
import { useChange } from './useChange.ts'

interface SetUpProps {
  readonly userId: string
  readonly onClose: () => void
}

/**
 * Shows the secret, asks for a first code, then shows the recovery codes. Nothing is enabled before the code is
 * right.
 */
export function SetUp({ userId, onClose }: SetUpProps) {
  const { secondFactor: words } = useWords().settings
  // Each opening of the dialog creates a new secret.
  const begun = useQuery({
    queryKey: keyOf(securityRoutes.setUpSecondFactor),
    queryFn: () => request(securityRoutes.setUpSecondFactor, { params: { id: userId } }),
    ...BEGUN_ONCE,
  })
  const confirming = useChange({
    change: (code: string) => request(securityRoutes.confirmSecondFactor, { params: { id: userId }, body: { code } }),
    affects: securityRoutes.secondFactor,
  })
  if (confirming.data) return <RecoveryCodes codes={confirming.data.recoveryCodes} onClose={onClose} />
  return (
    <Loaded query={begun} failed={words.beginFailed}>
      {({ uri, secret }) => (
        <div className="grid gap-5">
          <div className="grid justify-items-center">
            <QrCode text={uri} label={words.qrCode} />
          </div>
          <CopyField label={words.secret} value={secret} />
          <CodeForm
            label={words.code}
            submit={words.confirm}
            pending={confirming.isPending}
            error={confirming.error}
            onCode={confirming.mutate}
          />
        </div>
      )}
    </Loaded>
  )
}

interface CodeFormProps {
  readonly label: string
  readonly submit: string
  readonly pending: boolean
  readonly error: unknown
  readonly onCode: (code: string) => void
}

export function CodeForm({ label, submit, pending, error, onCode }: CodeFormProps) {
  const { secondFactor: words } = useWords().settings
  return (
    <form onSubmit={onSubmitTexts(['code'], ({ code }) => pending || onCode(code))} className="grid gap-4">
      {error !== null && <Notice tone="error">{sentenceOf(error, words.changeFailed)}</Notice>}
      <Field label={label}>
        <Input name="code" autoComplete="one-time-code" required maxLength={40} className="tabular" />
      </Field>
      <Button type="submit" pending={pending}>
        {submit}
      </Button>
    </form>
  )
}

/** Shown once; who closes the dialog without them has to make new ones. */
export function RecoveryCodes({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const { secondFactor: words } = useWords().settings
  return (
    <div className="grid gap-5">
      <Notice tone="success">{words.codesShown}</Notice>
      <ul
        aria-label={words.codes}
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-base bg-mint px-5 py-4 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onClose}>{words.kept}</Button>
        <Button
          variant="secondary"
          onClick={() => void saveText(words.fileName, `${BRAND.product}: ${words.codes}\n\n${codes.join('\n')}\n`)}
        >
          {words.download}
        </Button>
      </div>
    </div>
  )
}
