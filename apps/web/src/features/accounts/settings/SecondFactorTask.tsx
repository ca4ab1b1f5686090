import { securityRoutes } from '@parley/contract/page'
import { request } from '../../../lib/server/http.ts'
import { useWords } from '../../../words/index.ts'
import { CodeForm, RecoveryCodes, SetUp } from './SecondFactorForms.tsx'
import { useChange } from './useChange.ts'

export type Task = 'setUp' | 'renew' | 'switchOff'

interface TaskProps {
  readonly userId: string
  readonly onClose: () => void
}

/** The dialog's contents, loaded on first opening. */
export default function SecondFactorTask({ task, ...props }: TaskProps & { readonly task: Task }) {
  if (task === 'setUp') return <SetUp {...props} />
  return task === 'renew' ? <Renewal {...props} /> : <SwitchOff {...props} />
}

function Renewal({ userId, onClose }: TaskProps) {
  const { secondFactor: words } = useWords().settings
  const renewing = useChange({
    change: (code: string) => request(securityRoutes.renewRecoveryCodes, { params: { id: userId }, body: { code } }),
    affects: securityRoutes.secondFactor,
  })
  if (renewing.data) return <RecoveryCodes codes={renewing.data.recoveryCodes} onClose={onClose} />
  return (
    <CodeForm
      label={words.anyCode}
      submit={words.renew}
      pending={renewing.isPending}
      error={renewing.error}
      onCode={renewing.mutate}
    />
  )
}

function SwitchOff({ userId, onClose }: TaskProps) {
  const { secondFactor: words } = useWords().settings
  const switchingOff = useChange({
    change: async (code: string) => {
      await request(securityRoutes.disableSecondFactor, { params: { id: userId }, body: { code } })
      onClose()
    },
    affects: securityRoutes.secondFactor,
    done: words.switchedOff,
  })
  return (
    <CodeForm
      label={words.anyCode}
      submit={words.switchOff}
      pending={switchingOff.isPending}
      error={switchingOff.error}
      onCode={switchingOff.mutate}
    />
  )
}
