import { securityRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { read } from '../../../lib/server/queries.ts'
import { useWords } from '../../../words/index.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { Task } from './SecondFactorTask.tsx'
import { Loaded, Section } from './Section.tsx'

const SecondFactorTask = lazy(() => import('./SecondFactorTask.tsx'))

/** Second factor: a code of an authenticator app after the password. */
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
          <Suspense>
            <SecondFactorTask task={task} userId={userId} onClose={close} />
          </Suspense>
        </Dialog>
      )}
    </Section>
  )
}
