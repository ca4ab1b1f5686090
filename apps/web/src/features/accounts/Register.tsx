import { FREE_CREDITS, PASSWORD_MIN_REGISTER } from '@parley/contract'
import { accountsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { request } from '../../lib/server/http.ts'
import { saidByServer, useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Input, PasswordInput } from '../../ui/form/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { AuthLayout } from './AuthLayout.tsx'
import { registrationProblem, type Registration } from './checks.ts'
import { failureText } from './failure.ts'
import { GoogleButton } from './GoogleButton.tsx'
import { MailedNotice } from './MailedNotice.tsx'
import { OrDivider } from './OrDivider.tsx'

export default function Register() {
  const { register } = useWords().accounts
  return (
    <AuthLayout title={register.title} lead={register.lead(FREE_CREDITS)}>
      <GoogleButton />
      <OrDivider />
      <RegisterForm />
      <p className="mt-5 text-sm text-muted">
        {register.agree}{' '}
        <Link to="/terms-of-service" className="link">
          {register.terms}
        </Link>{' '}
        {register.and}{' '}
        <Link to="/privacy-policy" className="link">
          {register.privacy}
        </Link>
        .
      </p>
      <p className="mt-5 text-sm text-muted">
        {register.haveAccount}{' '}
        <Link to="/login" className="link">
          {register.signIn}
        </Link>
      </p>
    </AuthLayout>
  )
}

function RegisterForm() {
  const { accounts } = useWords()
  const { register } = accounts
  const form = useForm<Registration>({ defaultValues: { name: '', email: '', password: '', confirmation: '' } })
  const { errors } = form.formState
  const creating = useMutation({
    mutationFn: ({ name, email, password }: Registration) =>
      request(accountsRoutes.register, { body: { name: name.trim(), email: email.trim(), password } }),
    onSuccess: ({ message }) => {
      form.reset()
      toast({
        tone: 'success',
        title: register.successTitle,
        description: saidByServer(message, () => register.success) || register.success,
      })
    },
  })
  const submit = (values: Registration) => {
    const problem = registrationProblem(values)
    if (!problem) return creating.mutate(values)
    creating.reset()
    form.setError('root', { message: problem.message })
    for (const field of problem.fields) form.setError(field, {}, { shouldFocus: field === problem.fields[0] })
  }
  // Errors of the last attempt must not block the next one.
  const start = form.handleSubmit(submit)
  const message =
    errors.root?.message ?? (creating.error && failureText(creating.error, register.failed, register.network))
  const invalid = (field: keyof Registration) => ({ 'aria-invalid': errors[field] ? true : undefined })
  return (
    <form noValidate onSubmit={start} className="grid gap-5">
      {message && <Notice tone="error">{message}</Notice>}
      {creating.isSuccess && !message && (
        <MailedNotice key={creating.submittedAt} email={creating.variables.email.trim()} />
      )}
      <Field label={accounts.fullName}>
        <Input autoComplete="name" required {...form.register('name')} {...invalid('name')} />
      </Field>
      <Field label={accounts.email}>
        <Input
          type="email"
          inputMode="email"
          autoComplete="email"
          required
          {...form.register('email')}
          {...invalid('email')}
        />
      </Field>
      <Field label={accounts.password} hint={register.passwordHint(PASSWORD_MIN_REGISTER)}>
        <PasswordInput autoComplete="new-password" required {...form.register('password')} {...invalid('password')} />
      </Field>
      <Field label={accounts.confirmPassword}>
        <PasswordInput
          autoComplete="new-password"
          required
          {...form.register('confirmation')}
          {...invalid('confirmation')}
        />
      </Field>
      <Button type="submit" pending={creating.isPending}>
        {creating.isPending ? register.submitting : register.submit}
      </Button>
    </form>
  )
}
