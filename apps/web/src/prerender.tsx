import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import Landing from './features/accounts/landing/Landing.tsx'

/** The landing page as text, for landing.html; see build/landing.ts. */
export function prerender(): string {
  return renderToString(
    <StrictMode>
      <Landing />
    </StrictMode>,
  )
}
