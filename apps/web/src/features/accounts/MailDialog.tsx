import type { accountsRoutes } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { request } from '../../lib/http.ts'
import { useWords, type Words } from '../../lib/words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { failureText } from './failure.ts'

interface MailDialogProps {
  readonly words: Words['accounts']['forgot'] | Words['accounts']['resend']
  /** Both routes have one shape. */
  readonly route: typeof accountsRoutes.forgotPassword
  readonly open: boolean
  readonly onClose: () => void
}

/** Asks for an address and has a link mailed to it: for a new password, or to verify the address again. */
export function MailDialog({ words, route, open, onClose }: MailDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(isOpen) => !isOpen && onClose()} title={words.title} lead={words.lead}>
      <MailForm words={words} route={route} onClose={onClose} />
    </Dialog>
  )
}

/** Lives and dies with the open dialog, so closing forgets what was typed. */
function MailForm({ words, route, onClose }: Omit<MailDialogProps, 'open'>) {
  const { accounts, common } = useWords()
  const form = useForm({ defaultValues: { email: '' } })
  const sending = useMutation({
    mutationFn: (body: { email: string }) => request(route, { body }),
    onSuccess: ({ message }) => toast({ tone: 'success', title: words.sentTitle, description: message }),
  })
  if (sending.data)
    return (
      <div className="grid gap-5">
        <Notice tone="success">{sending.data.message}</Notice>
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    )
  return (
    <form onSubmit={form.handleSubmit((values) => sending.mutate(values))} className="grid gap-5">
      {sending.error && <Notice tone="error">{failureText(sending.error, words.failed, accounts.tryAgain)}</Notice>}
      <Field label={accounts.email}>
        <Input type="email" inputMode="email" autoComplete="email" required {...form.register('email')} />
      </Field>
      <Button type="submit" pending={sending.isPending}>
        {sending.isPending ? words.submitting : words.submit}
      </Button>
    </form>
  )
}
