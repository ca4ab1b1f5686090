import type { Call } from '@parley/contract'
import { create } from 'zustand'

// Kept apart from the lists that lead to it: a newer call may push a line out of its list while its details are being
// read.
const useViewed = create<{ readonly call: Call | undefined }>()(() => ({ call: undefined }))

export function viewCall(call: Call): void {
  useViewed.setState({ call })
}

export function closeViewedCall(): void {
  useViewed.setState({ call: undefined })
}

/** The call whose details are being read. */
export function useViewedCall(): Call | undefined {
  return useViewed(({ call }) => call)
}
