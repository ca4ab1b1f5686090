import { useEffect } from 'react'
import { create } from 'zustand'

/** Told whether the person proved who they are. */
type Settle = (proven: boolean) => void

interface Asked {
  readonly waiting: { readonly proven: Promise<boolean>; readonly settle: Settle } | undefined
}

let hosts = 0
const useAsked = create<Asked>()(() => ({ waiting: undefined }))

/**
 * Asks the person to confirm that it is them, in one dialog for all that waits for it. False: they would not, or
 * nothing can ask.
 */
export async function askForProof(): Promise<boolean> {
  if (hosts === 0) return false
  const { waiting } = useAsked.getState()
  if (waiting) return waiting.proven
  const { promise, resolve } = Promise.withResolvers<boolean>()
  useAsked.setState({ waiting: { proven: promise, settle: resolve } })
  return promise
}

export function settleProof(proven: boolean): void {
  useAsked.getState().waiting?.settle(proven)
  useAsked.setState({ waiting: undefined })
}

/** For the one place that shows the dialog. Whatever waits when it goes is not proven any more. */
export function useProofAsked(): boolean {
  useEffect(() => {
    hosts++
    return () => {
      hosts--
      if (hosts === 0) settleProof(false)
    }
  }, [])
  return useAsked(({ waiting }) => waiting !== undefined)
}
