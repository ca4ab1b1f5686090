import { accountsRoutes } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { request } from '../../lib/http.ts'
import { useSignIn } from '../../lib/session.ts'
import { useWords } from '../../lib/words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input, PasswordInput } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { failureText } from './failure.ts'
import { GoogleButton, OrDivider } from './GoogleButton.tsx'
import { MailDialog } from './MailDialog.tsx'
import { useVerificationBanner } from './useVerificationBanner.ts'

export default function Login() {
  const { accounts } = useWords()
  const { login } = accounts
  const banner = useVerificationBanner()
  const [dialog, setDialog] = useState<'forgot' | 'resend'>()
  return (
    <AuthLayout title={login.title} lead={login.lead}>
      {banner && (
        <Notice tone={banner.tone} className="mb-6">
          {banner.text}
        </Notice>
      )}
      <GoogleButton />
      <OrDivider />
      <LoginForm onForgot={() => setDialog('forgot')} />
      <div className="mt-8 grid gap-3 text-sm text-muted">
        <p>
          {login.noAccount}{' '}
          <Link to="/register" className="link">
            {login.register}
          </Link>
        </p>
        <button type="button" className="link justify-self-start" onClick={() => setDialog('resend')}>
          {login.resend}
        </button>
      </div>
      <MailDialog
        words={accounts.forgot}
        route={accountsRoutes.forgotPassword}
        open={dialog === 'forgot'}
        onClose={() => setDialog(undefined)}
      />
      <MailDialog
        words={accounts.resend}
        route={accountsRoutes.resendVerification}
        open={dialog === 'resend'}
        onClose={() => setDialog(undefined)}
      />
    </AuthLayout>
  )
}

function LoginForm({ onForgot }: { readonly onForgot: () => void }) {
  const { accounts } = useWords()
  const { login } = accounts
  const signIn = useSignIn()
  const form = useForm({ defaultValues: { email: '', password: '' } })
  const attempt = useMutation({
    mutationFn: (body: { email: string; password: string }) => request(accountsRoutes.login, { body }),
    // The session's change leads on to the dashboard: this form is for visitors only.
    onSuccess: ({ user }) => {
      toast({ tone: 'success', title: login.successTitle, description: login.success(user.name) })
      signIn(user)
    },
  })
  return (
    <form onSubmit={form.handleSubmit((values) => attempt.mutate(values))} className="grid gap-5">
      {attempt.error && <Notice tone="error">{failureText(attempt.error, login.failed, login.network)}</Notice>}
      <Field label={accounts.email}>
        <Input type="email" inputMode="email" autoComplete="username" required {...form.register('email')} />
      </Field>
      <div>
        <Field label={accounts.password}>
          <PasswordInput autoComplete="current-password" required {...form.register('password')} />
        </Field>
        <button type="button" className="link mt-2 text-sm" onClick={onForgot}>
          {login.forgot}
        </button>
      </div>
      <Button type="submit" pending={attempt.isPending}>
        {attempt.isPending ? login.submitting : login.submit}
      </Button>
    </form>
  )
}
