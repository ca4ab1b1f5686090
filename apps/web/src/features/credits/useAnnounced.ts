import { useEffect } from 'react'
import { toast } from '../../ui/toast/toast.ts'
import { recordedToast, type Recorded } from './recording.ts'

/** Tells by a toast how the recording of a payment went, each time that changes. */
export function useAnnounced(recorded: Recorded | undefined, credits: number): void {
  useEffect(() => {
    if (recorded) toast(recordedToast(recorded, credits))
  }, [recorded, credits])
}
