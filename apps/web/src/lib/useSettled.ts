import { useEffect, useState } from 'react'

const SETTLE_MS = 250

/** A value once it has stopped changing: what is typed is asked for when the typing pauses. */
export function useSettled<T>(value: T, afterMs: number = SETTLE_MS): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
