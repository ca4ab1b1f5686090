import { useEffect } from 'react'
import { toast } from '../../ui/toast/toast.ts'
import { recordedToast, type Recorded } from './recording.ts'

/** Shows a toast with the result of recording a payment, each time it changes. */
export function useAnnounced(recorded: Recorded | undefined, credits: number): void {
  useEffect(() => {
    if (recorded) toast(recordedToast(recorded, credits))
  }, [recorded, credits])
}
