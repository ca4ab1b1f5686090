import { confirmationsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { request } from '../../lib/server/http.ts'
import { useWords } from '../../words/index.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { failureText } from './failure.ts'

/** Target of the link mailed to the current address. Opening it changes nothing, because mail scanners open links. */
export function StopChange({ token }: { readonly token: string }) {
  const { accounts } = useWords()
  const { stop } = accounts
  const stopping = useMutation({
    mutationFn: (endSessions: boolean) =>
      request(confirmationsRoutes.stopEmailChange, { body: { token, endSessions } }),
  })
  if (stopping.isSuccess)
    return (
      <AuthLayout
        title={<output>{stop.stoppedTitle}</output>}
        lead={stopping.variables ? stop.stoppedAndEnded : stop.stopped}
      >
        <ButtonLink className="w-full">
          <Link to="/login">{accounts.goToLogin}</Link>
        </ButtonLink>
      </AuthLayout>
    )
  return (
    <AuthLayout title={stop.title} lead={stop.lead}>
      <div className="grid gap-4">
        {stopping.error && <Notice tone="error">{failureText(stopping.error, stop.failed, accounts.tryAgain)}</Notice>}
        <Button
          pending={stopping.isPending && !stopping.variables}
          disabled={stopping.isPending}
          onClick={() => stopping.mutate(false)}
        >
          {stop.submit}
        </Button>
        <Button
          variant="secondary"
          pending={stopping.isPending && stopping.variables}
          disabled={stopping.isPending}
          onClick={() => stopping.mutate(true)}
        >
          {stop.submitAll}
        </Button>
        <p className="text-sm text-muted">{stop.allHint}</p>
      </div>
    </AuthLayout>
  )
}
