import { useWords } from '../../../words/index.ts'
import { Card, CardTitle } from '../../../ui/Card.tsx'
import { Activity } from './Activity.tsx'
import { ApiKeys } from './ApiKeys.tsx'
import { DangerZone } from './DangerZone.tsx'
import { DataExports } from './DataExports.tsx'
import { Passkeys } from './Passkeys.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'

export function SecurityCard({ userId }: { readonly userId: string }) {
  const { security } = useWords().settings
  return (
    <Card>
      <CardTitle title={security.title} lead={security.lead} />
      <ApiKeys userId={userId} />
      <SecondFactor userId={userId} />
      <Passkeys userId={userId} />
      <Sessions userId={userId} />
      <Activity userId={userId} />
      <DataExports userId={userId} />
      <DangerZone userId={userId} />
    </Card>
  )
}
