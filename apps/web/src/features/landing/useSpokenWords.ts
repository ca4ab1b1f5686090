import { useEffect, useState } from 'react'
import { useReducedMotion } from '../../lib/media.ts'

const FIRST_WORD_MS = 700
const WORD_MS = 170
const BETWEEN_TURNS_MS = 700

/** Reveals a conversation word by word, once; all at once with reduced motion. */
export function useSpokenWords(wordsInTurn: readonly number[], isPaused: boolean) {
  const wantsNoMotion = useReducedMotion()
  const total = wordsInTurn.reduce((sum, words) => sum + words, 0)
  const [heard, setHeard] = useState(0)
  const spoken = wantsNoMotion ? total : heard

  // The outcome follows one step after the last word, as on a real call.
  const isOver = wantsNoMotion || heard > total
  useEffect(() => {
    if (isPaused || isOver) return
    const timer = setTimeout(() => setHeard(heard + 1), pauseBefore(heard, wordsInTurn))
    return () => clearTimeout(timer)
  }, [heard, isOver, isPaused, wordsInTurn])

  return { spoken, isOver, share: Math.min(1, spoken / total) }
}

function pauseBefore(word: number, wordsInTurn: readonly number[]): number {
  if (word === 0) return FIRST_WORD_MS
  let turnEnd = 0
  for (const words of wordsInTurn) {
    turnEnd += words
    if (word === turnEnd) return BETWEEN_TURNS_MS
  }
  return WORD_MS
}
