import { useEffect, useState } from 'react'
import { useReducedMotion } from '../../../lib/media.ts'

const WORD_MS = 55

/** Words shown a moment later: one more, or several when many wait. */
export function nextShown(shown: number, total: number): number {
  return Math.min(total, shown + Math.max(1, Math.ceil((total - shown) / 12)))
}

export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0
}

export function firstWords(text: string, words: number): string {
  return (
    text
      .match(/\s*\S+/g)
      ?.slice(0, words)
      .join('') ?? ''
  )
}

/** Reveals words one by one. With `fresh` false the initial ones are shown at once. */
export function useReveal(text: string, fresh: boolean): string {
  const total = countWords(text)
  const still = useReducedMotion()
  const [shown, setShown] = useState(fresh ? 0 : total)
  const behind = !still && shown < total
  useEffect(() => {
    if (!behind) return undefined
    const timer = setTimeout(() => setShown(nextShown(shown, total)), WORD_MS)
    return () => clearTimeout(timer)
  }, [behind, shown, total])
  return behind ? firstWords(text, shown) : text
}
