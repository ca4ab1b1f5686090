import { accountsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { HttpError, request } from '../../lib/server/http.ts'
import { AppleUnavailable, platform } from '../../lib/platform/index.ts'
import { useWords, words } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** Apple's dialog, on iOS; on success the page reloads, signed in. */
export default function AppleButton() {
  const { landing } = useWords()
  const signingIn = useMutation({ mutationFn: signInWithApple, onSuccess: () => location.reload() })
  return (
    <>
      <Button variant="secondary" pending={signingIn.isPending} onClick={() => signingIn.mutate()}>
        <svg viewBox="0 0 18 18" className="size-4.5" fill="currentColor" aria-hidden="true">
          <path d="M12.2 1c.1 1-.3 1.9-.9 2.6-.6.7-1.5 1.2-2.5 1.1-.1-.9.4-1.9.9-2.5C10.3 1.5 11.3 1 12.2 1zM15.3 12.7c-.4 1-.6 1.4-1.1 2.2-.8 1.1-1.8 2.1-3 2.1-1.1 0-1.4-.7-2.9-.7s-1.8.7-2.9.7c-1.2 0-2.1-1.2-2.9-2.3C.6 11.8.4 8.2 1.8 6.3c.9-1.3 2.3-1.9 3.6-1.9s2.2.7 3.3.7 1.7-.7 3.3-.7c1.2 0 2.4.6 3.3 1.7-2.9 1.6-2.4 5.7 0 6.6z" />
        </svg>
        {landing.apple}
      </Button>
      {signingIn.error && <Notice tone="error">{signingIn.error.message}</Notice>}
    </>
  )
}

async function signInWithApple(): Promise<void> {
  const { apple } = words().accounts
  const credential = await platform()
    .signInWithApple()
    .catch((error: unknown) => {
      if (error instanceof AppleUnavailable) throw new Error(apple.notIos)
      const reason = reasonOf(error)
      throw new Error(/simulator/i.test(reason) ? apple.simulator : apple.failed(reason))
    })
  await request(accountsRoutes.apple, { body: credential }).catch((error: unknown) => {
    throw new Error(error instanceof HttpError ? apple.refused : apple.wrapped(reasonOf(error)))
  })
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
