import { lazy, Suspense } from 'react'
import { platform } from '../../../lib/platform/index.ts'
import { useWords } from '../../../words/index.ts'
import { Card, CardTitle } from '../../../ui/Card.tsx'
import { Activity } from './Activity.tsx'
import { ApiKeys } from './ApiKeys.tsx'
import { DangerZone } from './DangerZone.tsx'
import { DataExports } from './DataExports.tsx'
import { Passkeys } from './Passkeys.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'

const LockSwitch = lazy(() => import('./LockSwitch.tsx'))

export function SecurityCard({ userId }: { readonly userId: string }) {
  const { security } = useWords().settings
  return (
    <Card>
      <CardTitle title={security.title} lead={security.lead} />
      {platform().lock && (
        <Suspense>
          <LockSwitch />
        </Suspense>
      )}
      <ApiKeys userId={userId} />
      <SecondFactor userId={userId} />
      {platform().offersPasskeys && <Passkeys userId={userId} />}
      <Sessions userId={userId} />
      <Activity userId={userId} />
      <DataExports userId={userId} />
      <DangerZone userId={userId} />
    </Card>
  )
}
