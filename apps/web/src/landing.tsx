import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import Landing from './features/accounts/landing/Landing.tsx'
import './theme.css'

const element = document.getElementById('root')
if (!element) throw new Error('landing.html has no #root')

const page = (
  <StrictMode>
    <Landing />
  </StrictMode>
)

// The page is there already, rendered when the product was built: this sets it in motion. What was rendered ahead knows no
// address, so a page that has something to explain is drawn anew.
if (new URLSearchParams(location.search).has('auth')) createRoot(element).render(page)
else hydrateRoot(element, page)
