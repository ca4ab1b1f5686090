import { accountsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { onSubmitTexts } from '../../lib/form.ts'
import { codeOf, request } from '../../lib/server/http.ts'
import { useSignIn } from '../../lib/server/session.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Input, PasswordInput } from '../../ui/form/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { failureText } from './failure.ts'
import { GoogleButton } from './GoogleButton.tsx'
import type { Mail } from './MailDialog.tsx'
import { OrDivider } from './OrDivider.tsx'
import { knowsPasskeys, signInWithPasskey, wasDismissed } from './passkeys.ts'
import { useVerificationBanner } from './useVerificationBanner.ts'
import { forgetVerifiedEmail, verifiedEmail } from './verifiedEmail.ts'

const MailDialog = lazy(() => import('./MailDialog.tsx'))

export default function Login() {
  const { accounts } = useWords()
  const { login } = accounts
  const banner = useVerificationBanner()
  const [mail, setMail] = useState<Mail>()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const openDialog = (about: Mail) => {
    setMail(about)
    setDialogOpen(true)
  }
  return (
    <AuthLayout title={login.title} lead={login.lead}>
      {banner && (
        <Notice tone={banner.tone} className="mb-6">
          {banner.text}
        </Notice>
      )}
      <div className="grid gap-3">
        <GoogleButton />
        {knowsPasskeys() && <PasskeyButton />}
      </div>
      <OrDivider />
      <LoginForm onForgot={() => openDialog('forgot')} />
      <div className="mt-8 grid gap-3 text-sm text-muted">
        <p>
          {login.noAccount}{' '}
          <Link to="/register" className="link">
            {login.register}
          </Link>
        </p>
        <button type="button" className="link justify-self-start" onClick={() => openDialog('resend')}>
          {login.resend}
        </button>
      </div>
      {mail && (
        <Suspense>
          <MailDialog mail={mail} open={isDialogOpen} onClose={() => setDialogOpen(false)} />
        </Suspense>
      )}
    </AuthLayout>
  )
}

function PasskeyButton() {
  const { login } = useWords().accounts
  const signIn = useSignIn()
  const attempt = useMutation({
    mutationFn: signInWithPasskey,
    onSuccess: (user) => {
      toast({ tone: 'success', title: login.successTitle, description: login.success(user.name) })
      signIn(user)
    },
  })
  const failure =
    attempt.error && !wasDismissed(attempt.error) && failureText(attempt.error, login.failed, login.network)
  return (
    <>
      <Button
        variant="secondary"
        icon={<KeyRound className="size-4.5" aria-hidden="true" />}
        pending={attempt.isPending}
        onClick={() => attempt.mutate()}
      >
        {login.passkey}
      </Button>
      {failure && <Notice tone="error">{failure}</Notice>}
    </>
  )
}

/** The field appears because it is wanted next. */
const takeFocus = (input: HTMLInputElement | null) => input?.focus()

/** Where the requested code comes from: the authenticator app, or a mail. */
type CodeOf = 'app' | 'mail'

function LoginForm({ onForgot }: { readonly onForgot: () => void }) {
  const { accounts } = useWords()
  const { login } = accounts
  const signIn = useSignIn()
  const [code, setCode] = useState<CodeOf>()
  const attempt = useMutation({
    mutationFn: ({ code, ...body }: Record<'email' | 'password' | 'code', string>) =>
      request(accountsRoutes.login, { body: code ? { ...body, code } : body }),
    // The session change redirects to the dashboard, because this form is for visitors only.
    onSuccess: ({ user }) => {
      toast({ tone: 'success', title: login.successTitle, description: login.success(user.name) })
      forgetVerifiedEmail()
      signIn(user)
    },
    onError: (error) => {
      const refusal = codeOf(error)
      if (refusal === 'second_factor_required' || refusal === 'email_code_needed')
        setCode(refusal === 'email_code_needed' ? 'mail' : 'app')
    },
  })
  const isMailed = codeOf(attempt.error) === 'email_code_needed'
  return (
    <form
      onSubmit={onSubmitTexts(['email', 'password', 'code'], (body) => attempt.isPending || attempt.mutate(body))}
      className="grid gap-5"
    >
      {attempt.error && (
        <Notice tone={isMailed ? 'info' : 'error'}>{failureText(attempt.error, login.failed, login.network)}</Notice>
      )}
      <Field label={accounts.email}>
        <Input
          type="email"
          inputMode="email"
          autoComplete="username"
          required
          name="email"
          defaultValue={verifiedEmail()}
        />
      </Field>
      <div>
        <Field label={accounts.password}>
          <PasswordInput autoComplete="current-password" required name="password" />
        </Field>
        <button type="button" className="link mt-2 text-sm" onClick={onForgot}>
          {login.forgot}
        </button>
      </div>
      {code && (
        <Field key={code} label={login.codes[code].label} hint={login.codes[code].hint}>
          <Input ref={takeFocus} name="code" autoComplete="one-time-code" required className="tabular" />
        </Field>
      )}
      {code === 'mail' && attempt.variables && (
        <button
          type="button"
          className="link justify-self-start text-sm"
          onClick={() => attempt.isPending || attempt.mutate({ ...attempt.variables, code: '' })}
        >
          {login.mailCodeAgain}
        </button>
      )}
      <Button type="submit" pending={attempt.isPending}>
        {attempt.isPending ? login.submitting : login.submit}
      </Button>
    </form>
  )
}
