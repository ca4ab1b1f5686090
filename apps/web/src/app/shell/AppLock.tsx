import { useEffect, useEffectEvent, useState } from 'react'
import { platform } from '../../lib/platform/index.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** Stands in place of the page until the phone's own lock is opened. */
export default function AppLock({ onOpen }: { readonly onOpen: () => void }) {
  const { phone } = useWords().shell
  const [state, setState] = useState<'asking' | 'refused'>('asking')
  const ask = async () => {
    setState('asking')
    if ((await platform().lock?.unlock(phone.lockReason)) ?? true) onOpen()
    else setState('refused')
  }
  const askAtOnce = useEffectEvent(() => void ask())
  useEffect(askAtOnce, [])
  return (
    <main className="mx-auto grid min-h-screen-safe max-w-sm content-center justify-items-center gap-6 px-6 text-center">
      <Logo />
      <h1 className="text-xl font-semibold">{phone.locked}</h1>
      {state === 'refused' && <Notice tone="error">{phone.unlockFailed}</Notice>}
      <Button size="large" className="w-full" pending={state === 'asking'} onClick={() => void ask()}>
        {phone.unlock}
      </Button>
    </main>
  )
}
