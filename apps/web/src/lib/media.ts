import { useSyncExternalStore } from 'react'

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (watcher) => {
      const media = matchMedia(query)
      media.addEventListener('change', watcher)
      return () => media.removeEventListener('change', watcher)
    },
    () => matchMedia(query).matches,
    // What is rendered before there is a screen.
    () => false,
  )
}

export function useReducedMotion(): boolean {
  return useMedia('(prefers-reduced-motion: reduce)')
}

/** As wide as Tailwind's md: tables fit, where a phone has cards. */
export function useIsWide(): boolean {
  return useMedia('(min-width: 48rem)')
}
