import { accountsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { request } from '../../lib/server/http.ts'
import { useSearchParam } from '../../lib/search.ts'
import { useSignIn } from '../../lib/server/session.ts'
import { saidByServer, useWords } from '../../words/index.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { PasswordInput } from '../../ui/form/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { newPasswordProblem, type NewPassword } from './checks.ts'
import { failureText } from './failure.ts'

export default function ResetPassword() {
  const { accounts } = useWords()
  const { reset } = accounts
  const token = useSearchParam('token')
  const signIn = useSignIn()
  const reply = (message: string) => saidByServer(message, (server) => server.passwordChanged)
  const resetting = useMutation({
    mutationFn: (body: { token: string; newPassword: string }) => request(accountsRoutes.resetPassword, { body }),
    onSuccess: ({ message, user }) => {
      if (!user) return
      toast({ tone: 'success', title: reset.successTitle, description: reply(message) })
      signIn(user)
    },
  })
  if (resetting.data && !resetting.data.user)
    return (
      <AuthLayout title={reset.successTitle}>
        <Notice tone="success">{reply(resetting.data.message)}</Notice>
        <ButtonLink className="mt-6 w-full">
          <Link to="/login">{accounts.goToLogin}</Link>
        </ButtonLink>
      </AuthLayout>
    )
  const refusal = resetting.error && failureText(resetting.error, reset.failed, accounts.tryAgain)
  return (
    <AuthLayout title={reset.title}>
      <ResetForm
        refusal={token ? refusal : reset.noToken}
        disabled={!token}
        pending={resetting.isPending}
        onSubmit={(newPassword) => token && resetting.mutate({ token, newPassword })}
      />
      <p className="mt-6 text-sm">
        <Link to="/login" className="link">
          {accounts.goToLogin}
        </Link>
      </p>
    </AuthLayout>
  )
}

interface ResetFormProps {
  readonly refusal: string | null
  readonly disabled: boolean
  readonly pending: boolean
  readonly onSubmit: (newPassword: string) => void
}

function ResetForm({ refusal, disabled, pending, onSubmit }: ResetFormProps) {
  const { accounts } = useWords()
  const form = useForm<NewPassword>({ defaultValues: { password: '', confirmation: '' } })
  const { errors } = form.formState
  const submit = (values: NewPassword) => {
    const problem = newPasswordProblem(values)
    if (!problem) return onSubmit(values.password)
    form.setError('root', { message: problem.message })
    for (const field of problem.fields) form.setError(field, {}, { shouldFocus: true })
  }
  const message = errors.root?.message ?? refusal
  const invalid = (field: keyof NewPassword) => ({ 'aria-invalid': errors[field] ? true : undefined })
  return (
    <form noValidate onSubmit={form.handleSubmit(submit)} className="grid gap-5">
      {message && <Notice tone="error">{message}</Notice>}
      <Field label={accounts.newPassword}>
        <PasswordInput
          autoComplete="new-password"
          disabled={disabled}
          {...form.register('password')}
          {...invalid('password')}
        />
      </Field>
      <Field label={accounts.confirmPassword}>
        <PasswordInput
          autoComplete="new-password"
          disabled={disabled}
          {...form.register('confirmation')}
          {...invalid('confirmation')}
        />
      </Field>
      <Button type="submit" disabled={disabled} pending={pending}>
        {pending ? accounts.reset.submitting : accounts.reset.submit}
      </Button>
    </form>
  )
}
