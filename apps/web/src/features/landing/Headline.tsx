import { TAGLINE_ROTATION_MS } from '@parley/contract'
import { useEffect, useState } from 'react'
import { classes } from '../../lib/classes.ts'
import { useFrontWords } from '../../words/front.ts'

/** The rotating headline. All its endings overlap in one grid cell, so the longest one sets the size. */
export function Headline({ isPaused }: { readonly isPaused: boolean }) {
  const { landing } = useFrontWords()
  const { capabilities } = landing
  const [shown, setShown] = useState(0)

  useEffect(() => {
    if (isPaused) return
    const timer = setInterval(() => setShown((current) => (current + 1) % capabilities.length), TAGLINE_ROTATION_MS)
    return () => clearInterval(timer)
  }, [isPaused, capabilities.length])

  return (
    <h1 className="font-semibold">
      <span className="block text-lg font-medium text-muted">{landing.welcome}</span>
      <span className="sr-only">{landing.allCapabilities}</span>
      <span aria-hidden="true" className="mt-3 block text-xl sm:text-2xl">
        {landing.callsTo}
        <span className="grid text-brand">
          {capabilities.map((capability, index) => (
            <span
              key={capability}
              className={classes(
                'col-start-1 row-start-1 text-balance',
                index === shown ? 'animate-rise' : 'invisible',
              )}
            >
              {capability}
            </span>
          ))}
        </span>
      </span>
    </h1>
  )
}
