import { securityRoutes } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { request } from '../../../lib/http.ts'
import { read } from '../../../lib/queries.ts'
import { useWords } from '../../../lib/words/index.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { CodeForm, RecoveryCodes, SetUp } from './SecondFactorForms.tsx'
import { Loaded, Section } from './Section.tsx'
import { useChange } from './useChange.ts'

type Task = 'setUp' | 'renew' | 'switchOff'

/** A code of an authenticator app, asked for after the password. */
export function SecondFactor({ userId }: { readonly userId: string }) {
  const { secondFactor: words } = useWords().settings
  const loaded = useQuery(read(securityRoutes.secondFactor, { params: { id: userId } }))
  const [task, setTask] = useState<Task>()
  const [isOpen, setOpen] = useState(false)
  const begin = (next: Task) => {
    setTask(next)
    setOpen(true)
  }
  const close = () => setOpen(false)
  const isOn = loaded.data?.enabled === true
  return (
    <Section
      title={words.title}
      lead={words.lead}
      aside={loaded.data && <Badge tone={isOn ? 'good' : 'neutral'}>{isOn ? words.on : words.off}</Badge>}
    >
      <Loaded query={loaded} failed={words.failed}>
        {({ enabled, recoveryCodesLeft }) =>
          enabled ? (
            <>
              <p>{words.codesLeft(recoveryCodesLeft)}</p>
              <div className="flex flex-wrap gap-3">
                <Button variant="secondary" onClick={() => begin('renew')}>
                  {words.renew}
                </Button>
                <Button variant="secondary" onClick={() => begin('switchOff')}>
                  {words.switchOff}
                </Button>
              </div>
            </>
          ) : (
            <div>
              <Button variant="secondary" onClick={() => begin('setUp')}>
                {words.setUp}
              </Button>
            </div>
          )
        }
      </Loaded>
      {task && (
        <Dialog open={isOpen} onOpenChange={setOpen} title={words[task]} lead={words.leads[task]}>
          {task === 'setUp' && <SetUp userId={userId} onClose={close} />}
          {task === 'renew' && <Renewal userId={userId} onClose={close} />}
          {task === 'switchOff' && <SwitchOff userId={userId} onClose={close} />}
        </Dialog>
      )}
    </Section>
  )
}

interface TaskProps {
  readonly userId: string
  readonly onClose: () => void
}

function Renewal({ userId, onClose }: TaskProps) {
  const { secondFactor: words } = useWords().settings
  const renewing = useChange({
    change: (code: string) => request(securityRoutes.renewRecoveryCodes, { params: { id: userId }, body: { code } }),
    affects: securityRoutes.secondFactor,
  })
  if (renewing.data) return <RecoveryCodes codes={renewing.data.recoveryCodes} onClose={onClose} />
  return (
    <CodeForm label={words.anyCode} submit={words.renew} pending={renewing.isPending} error={renewing.error} onCode={renewing.mutate} />
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
