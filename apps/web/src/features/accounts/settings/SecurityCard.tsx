import { useWords } from '../../../lib/words/index.ts'
import { Card, CardTitle } from '../../../ui/Card.tsx'
import { ApiKeys } from './ApiKeys.tsx'
import { DangerZone } from './DangerZone.tsx'

export function SecurityCard({ userId }: { readonly userId: string }) {
  const { security } = useWords().settings
  return (
    <Card>
      <CardTitle title={security.title} lead={security.lead} />
      <ApiKeys userId={userId} />
      <DangerZone userId={userId} />
    </Card>
  )
}
