import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import Landing from './features/accounts/landing/Landing.tsx'
import './theme.css'

const element = document.getElementById('root')
if (!element) throw new Error('landing.html has no #root')

// The page is there already, rendered when the product was built: this sets it in motion.
hydrateRoot(
  element,
  <StrictMode>
    <Landing />
  </StrictMode>,
)
