import { accountsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { request } from '../../lib/server/http.ts'
import { saidByServer, useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { failureText } from './failure.ts'

/** Stays after the toast: tells where the link was mailed to, and can mail it again. */
export function MailedNotice({ email }: { readonly email: string }) {
  const { accounts } = useWords()
  const { register, resend } = accounts
  const sending = useMutation({
    mutationFn: () => request(accountsRoutes.resendVerification, { body: { email } }),
    onSuccess: ({ message }) =>
      toast({
        tone: 'success',
        title: resend.sentTitle,
        description: saidByServer(message, (server) => server.verificationMailed),
      }),
  })
  return (
    <Notice tone="success">
      <p className="wrap-anywhere">{register.mailed(email)}</p>
      <Button
        variant="secondary"
        size="small"
        className="mt-3"
        pending={sending.isPending}
        onClick={() => sending.mutate()}
      >
        {register.mailAgain}
      </Button>
      {sending.error && (
        <p className="mt-2 text-danger">{failureText(sending.error, resend.failed, accounts.tryAgain)}</p>
      )}
    </Notice>
  )
}
