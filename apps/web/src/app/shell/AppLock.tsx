import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { platform } from '../../lib/platform/index.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Logo } from '../../ui/Logo.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** Stands in place of the page until the phone's own lock is opened. */
export default function AppLock({ onOpen }: { readonly onOpen: () => void }) {
  const { phone } = useWords().shell
  const unlocking = useMutation({
    // The phone's lock needs no network.
    networkMode: 'always',
    mutationFn: async () => (await platform().lock?.unlock(phone.lockReason)) ?? true,
    onSuccess: (isOpen) => isOpen && onOpen(),
  })
  const { mutate: ask } = unlocking
  useEffect(() => ask(), [ask])
  return (
    <main className="mx-auto grid min-h-screen-safe max-w-sm content-center justify-items-center gap-6 px-6 text-center">
      <Logo />
      <h1 className="text-xl font-semibold">{phone.locked}</h1>
      {unlocking.data === false && !unlocking.isPending && <Notice tone="error">{phone.unlockFailed}</Notice>}
      <Button size="large" className="w-full" pending={unlocking.isPending} onClick={() => ask()}>
        {phone.unlock}
      </Button>
    </main>
  )
}
