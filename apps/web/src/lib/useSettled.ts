import { useEffect, useState } from 'react'

const SETTLE_MS = 250

/** Debounces a value: returns it once it has stopped changing. */
export function useSettled<T>(value: T, afterMs: number = SETTLE_MS): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), afterMs)
    return () => clearTimeout(timer)
  }, [value, afterMs])
  return settled
}
