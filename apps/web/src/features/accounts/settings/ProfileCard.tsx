import { TIMEZONES, type User } from '@parley/contract'
import { accountsRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Controller, useForm } from 'react-hook-form'
import { changedOf } from '../../../lib/form.ts'
import { request, sentenceOf } from '../../../lib/server/http.ts'
import { changeUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, CardTitle } from '../../../ui/Card.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { CallerNumbers } from './CallerNumbers.tsx'
import { PendingEmail } from './PendingEmail.tsx'

interface Profile {
  readonly fullName: string
  readonly email: string
  readonly phone: string
  readonly companyName: string
  readonly timezone: User['timezone']
}

const profileOf = ({ fullName, email, phone, companyName, timezone }: User): Profile => ({
  fullName,
  email,
  phone: phone ?? '',
  companyName: companyName ?? '',
  timezone,
})

const ZONES = TIMEZONES.map((value) => ({ value, label: value }))

export function ProfileCard({ user }: { readonly user: User }) {
  const { common, settings } = useWords()
  const { profile } = settings
  const client = useQueryClient()
  const form = useForm<Profile>({ values: profileOf(user), resetOptions: { keepDirtyValues: true } })
  const { dirtyFields } = form.formState
  const saving = useMutation({
    mutationFn: (body: Partial<Profile>) => request(accountsRoutes.changeUser, { params: { id: user.id }, body }),
    onSuccess: (changed, { email, ...saved }) => {
      // A new address is pending until confirmed; the field shows the current one.
      if (email !== undefined) form.resetField('email', { defaultValue: changed.email })
      form.reset(profileOf(changed))
      changeUser(client, changed)
      const { pendingEmail } = changed
      const waitsOnly = email !== undefined && pendingEmail !== null && Object.keys(saved).length === 0
      if (waitsOnly)
        toast({ title: settings.pendingEmail.askedTitle, description: settings.pendingEmail.asked(pendingEmail) })
      else toast({ tone: 'success', title: profile.savedTitle, description: profile.saved })
    },
    onError: (error) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, profile.failed) }),
  })
  return (
    <Card>
      <CardTitle title={profile.title} lead={profile.lead} />
      {user.pendingEmail !== null && <PendingEmail user={user} pendingEmail={user.pendingEmail} />}
      <form
        onSubmit={form.handleSubmit((values) => saving.mutate(changedOf(values, dirtyFields)))}
        className="grid gap-5 sm:grid-cols-2"
      >
        <Field label={profile.fullName}>
          <Input autoComplete="name" {...form.register('fullName')} />
        </Field>
        <Field label={profile.email}>
          <Input type="email" inputMode="email" autoComplete="email" {...form.register('email')} />
        </Field>
        <Field label={profile.phone}>
          <Input type="tel" inputMode="tel" autoComplete="tel" {...form.register('phone')} />
        </Field>
        <Field label={profile.company}>
          <Input autoComplete="organization" {...form.register('companyName')} />
        </Field>
        <Field label={profile.timezone}>
          <Controller
            control={form.control}
            name="timezone"
            render={({ field }) => <Select value={field.value} onValueChange={field.onChange} options={ZONES} />}
          />
        </Field>
        <div className="sm:col-span-2">
          <Button type="submit" pending={saving.isPending}>
            {saving.isPending ? profile.saving : profile.save}
          </Button>
        </div>
      </form>
      <CallerNumbers userId={user.id} />
    </Card>
  )
}
