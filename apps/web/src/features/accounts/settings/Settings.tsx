import { lazy, Suspense } from 'react'
import { LogOut } from 'lucide-react'
import { useHead } from '../../../lib/heads.ts'
import { signOut, useSignedInUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { useProofAsked } from '../../../lib/server/stepUp.ts'
import { Button } from '../../../ui/Button.tsx'
import { PageHead } from '../../../ui/Card.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { CallSettings } from './CallSettings.tsx'
import { SecurityCard } from './SecurityCard.tsx'

// Lazy: few changes require a step-up.
const StepUpDialog = lazy(() => import('./StepUpDialog.tsx'))

export default function Settings() {
  const isAsked = useProofAsked()
  const { shell } = useWords()
  const user = useSignedInUser()
  return (
    <div className="max-w-3xl">
      <PageHead {...useHead('/settings')} />
      <div className="grid gap-6">
        <ProfileCard user={user} />
        <CallSettings userId={user.id} />
        <SecurityCard userId={user.id} />
        {isAsked && (
          <Suspense>
            <StepUpDialog />
          </Suspense>
        )}
        <div>
          <Button variant="secondary" icon={<LogOut className="size-4" aria-hidden="true" />} onClick={signOut}>
            {shell.signOut}
          </Button>
        </div>
      </div>
    </div>
  )
}
