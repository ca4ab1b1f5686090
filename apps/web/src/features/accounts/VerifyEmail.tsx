import { accountsRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { HttpError, request } from '../../lib/server/http.ts'
import { keyOf } from '../../lib/server/queries.ts'
import { useSearchParam } from '../../lib/search.ts'
import { useWords } from '../../words/index.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { AuthLayout } from './AuthLayout.tsx'
import { StopChange } from './StopChange.tsx'
import { keepVerifiedEmail } from './verifiedEmail.ts'

export default function VerifyEmail() {
  const { verify } = useWords().accounts
  const token = useSearchParam('token')
  const stop = useSearchParam('stop')
  const isVerified = useSearchParam('verified') === 'true'
  // A token works once, so the request is sent once.
  const verification = useQuery({
    queryKey: keyOf(accountsRoutes.verifyEmail, token),
    queryFn: async () => {
      const verified = await request(accountsRoutes.verifyEmail, { query: { token } })
      keepVerifiedEmail(verified.email)
      return verified
    },
    enabled: token !== undefined && !isVerified && stop === undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (stop !== undefined) return <StopChange token={stop} />
  if (isVerified || verification.data) return <Verified />
  if (token === undefined) return <Failed reason={verify.noToken} />
  if (verification.error)
    return <Failed reason={verification.error instanceof HttpError ? verify.linkFailed : verify.failed} />
  return (
    <AuthLayout
      title={
        <span className="flex items-center gap-3">
          <Spinner className="size-6 text-brand" />
          <output>{verify.verifying}</output>
        </span>
      }
    >
      {null}
    </AuthLayout>
  )
}

function Verified() {
  const { verify } = useWords().accounts
  return (
    <Result
      icon={<CircleCheck className="size-10 text-brand" aria-hidden="true" />}
      title={verify.successTitle}
      text={verify.success}
    >
      <Link to="/login">{verify.continue}</Link>
    </Result>
  )
}

function Failed({ reason }: { readonly reason: string }) {
  const { verify } = useWords().accounts
  return (
    <Result
      icon={<CircleX className="size-10 text-danger" aria-hidden="true" />}
      title={verify.failedTitle}
      text={reason}
    >
      <Link to="/register">{verify.back}</Link>
    </Result>
  )
}

interface ResultProps {
  readonly icon: ReactNode
  readonly title: string
  readonly text: string
  readonly children: ReactNode
}

function Result({ icon, title, text, children }: ResultProps) {
  return (
    <AuthLayout
      title={
        <output>
          <span className="mb-4 block">{icon}</span>
          {title}
        </output>
      }
      lead={text}
    >
      <ButtonLink className="w-full">{children}</ButtonLink>
    </AuthLayout>
  )
}
