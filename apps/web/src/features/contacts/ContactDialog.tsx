import type { Contact } from '@parley/contract'
import { contactsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useForm } from 'react-hook-form'
import { isEmailAddress } from '../../lib/format/address.ts'
import { platform, type PickedContact } from '../../lib/platform/index.ts'
import { HttpError, request, sentenceOf } from '../../lib/server/http.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogActions } from '../../ui/DialogActions.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Input, Textarea } from '../../ui/form/Input.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { useContactsChanged } from './api.ts'
import { bodyOf, REQUIRED, textsOf, type ContactTexts } from './fields.ts'

const PickContact = lazy(() => import('../../ui/form/PickContact.tsx'))

interface ContactDialogProps {
  /** undefined: adds a new contact. */
  readonly contact?: Contact | undefined
  readonly onClose: () => void
}

export function ContactDialog({ contact, onClose }: ContactDialogProps) {
  const { accounts, common, contacts } = useWords()
  const words = contacts.form
  const form = useForm<ContactTexts>({ defaultValues: textsOf(contact) })
  const saving = useSaving(contact)
  const submit = (texts: ContactTexts) => {
    const missing = REQUIRED.filter((name) => texts[name].trim() === '')
    if (missing.length > 0) return showError(words.required, missing)
    if (texts.email.trim() !== '' && !isEmailAddress(texts.email))
      return showError(accounts.register.emailInvalid, ['email'])
    // onSuccess passed to mutate() is skipped after unmount, so that it cannot close another dialog.
    return saving.mutate(texts, { onSuccess: onClose })
  }
  const showError = (message: string, fields: readonly (keyof ContactTexts)[]) => {
    toast({ tone: 'error', title: common.error, description: message })
    for (const name of fields) form.setError(name, { message }, { shouldFocus: name === fields[0] })
  }
  const fill = (picked: PickedContact) => {
    for (const name of ['name', 'phone', 'email', 'company'] as const) form.setValue(name, picked[name])
    form.clearErrors()
  }
  const { errors } = form.formState
  const refused = saving.error instanceof HttpError ? saving.error : undefined
  const errorOf = (name: keyof ContactTexts) =>
    errors[name]?.message ?? (refused?.field === name ? refused.sentence : undefined)
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={contact ? words.editTitle : words.addTitle}>
      <form noValidate onSubmit={form.handleSubmit(submit)} className="grid grid-cols-1 gap-4">
        {!contact && platform().pickContact && (
          <Suspense>
            <PickContact onPick={fill} />
          </Suspense>
        )}
        <Field label={words.name} error={errorOf('name')}>
          <Input required autoComplete="off" maxLength={200} {...form.register('name')} />
        </Field>
        <Field label={words.phone} hint={words.phoneHint} error={errorOf('phone')}>
          <Input
            required
            type="tel"
            inputMode="tel"
            autoComplete="off"
            maxLength={40}
            {...form.register('phone')}
            className="tabular"
          />
        </Field>
        <Field label={words.email} error={errorOf('email')} optional>
          <Input type="email" inputMode="email" autoComplete="off" maxLength={254} {...form.register('email')} />
        </Field>
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Field label={words.company} optional>
            <Input autoComplete="off" maxLength={200} {...form.register('company')} />
          </Field>
          <Field label={words.title} optional>
            <Input autoComplete="off" maxLength={200} {...form.register('title')} />
          </Field>
        </div>
        <Field label={words.tags} hint={words.tagsHint} error={errorOf('tags')} optional>
          <Input autoComplete="off" {...form.register('tags')} />
        </Field>
        <Field label={words.notes} optional>
          <Textarea rows={2} maxLength={5000} {...form.register('notes')} />
        </Field>
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" pending={saving.isPending}>
            {contact ? words.save : words.addTitle}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function useSaving(contact: Contact | undefined) {
  const { common, contacts } = useWords()
  const { form } = contacts
  const { id: userId } = useSignedInUser()
  const changed = useContactsChanged()
  return useMutation({
    mutationFn: async (texts: ContactTexts) =>
      contact
        ? request(contactsRoutes.change, { params: { id: contact.id }, body: bodyOf(texts) })
        : request(contactsRoutes.create, { body: { userId, ...bodyOf(texts) } }),
    onSuccess: () => {
      toast({ tone: 'success', title: contact ? form.updated : form.created })
      void changed()
    },
    onError: (error) =>
      toast({
        tone: 'error',
        title: common.error,
        description: sentenceOf(error, contact ? form.updateFailed : form.createFailed),
      }),
  })
}
