import { accountsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { onSubmitTexts } from '../../lib/form.ts'
import { request } from '../../lib/server/http.ts'
import { saidByServer, useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Input } from '../../ui/form/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { failureText } from './failure.ts'

const REPLIES = { forgot: 'resetMailed', resend: 'verificationMailed' } as const
const ROUTES = { forgot: accountsRoutes.forgotPassword, resend: accountsRoutes.resendVerification } as const

/** The mailed link: to choose a new password, or to verify the address. */
export type Mail = keyof typeof ROUTES

interface MailDialogProps {
  readonly mail: Mail
  readonly open: boolean
  readonly onClose: () => void
}

/** Asks for an address and has a link mailed to it. */
export default function MailDialog({ mail, open, onClose }: MailDialogProps) {
  const words = useWords().accounts[mail]
  return (
    <Dialog open={open} onOpenChange={(isOpen) => !isOpen && onClose()} title={words.title} lead={words.lead}>
      <MailForm mail={mail} onClose={onClose} />
    </Dialog>
  )
}

/** Mounted with the open dialog, so that closing clears the fields. */
function MailForm({ mail, onClose }: Omit<MailDialogProps, 'open'>) {
  const { accounts, common } = useWords()
  const words = accounts[mail]
  const reply = (message: string) => saidByServer(message, (server) => server[REPLIES[mail]])
  const sending = useMutation({
    mutationFn: (body: { email: string }) => request(ROUTES[mail], { body }),
    onSuccess: ({ message }) => toast({ tone: 'success', title: words.sentTitle, description: reply(message) }),
  })
  if (sending.data)
    return (
      <div className="grid gap-5">
        <Notice tone="success">{reply(sending.data.message)}</Notice>
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    )
  return (
    <form
      onSubmit={onSubmitTexts(['email'], (body) => sending.isPending || sending.mutate(body))}
      className="grid gap-5"
    >
      {sending.error && <Notice tone="error">{failureText(sending.error, words.failed, accounts.tryAgain)}</Notice>}
      <Field label={accounts.email}>
        <Input type="email" inputMode="email" autoComplete="email" required name="email" />
      </Field>
      <Button type="submit" pending={sending.isPending}>
        {sending.isPending ? words.submitting : words.submit}
      </Button>
    </form>
  )
}
