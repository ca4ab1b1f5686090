import { spokenLanguage } from '@parley/contract'
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import Front from './app/screens/Front.tsx'
import { onLanguageChange, preferredLanguage, speak } from './lib/language.ts'
import { registerWorker } from './lib/live/worker.ts'
import { frontWords } from './words/front.ts'
import './theme.css'

/** The page is there already, rendered when the product was built: this sets it in motion. */
async function start(root: Element): Promise<void> {
  await speak(spokenLanguage([document.documentElement.lang]))
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <Front />
      </StrictMode>,
    )
  })
  onLanguageChange(() => {
    const { shell, titles } = frontWords()
    document.title = shell.documentTitle(titles['/'])
  })
  // The server knew of a choice by a cookie; where that is gone, the choice itself may still be there.
  await speak(preferredLanguage())
}

const root = document.getElementById('root')
if (!root) throw new Error('landing.html has no #root')
void start(root)
registerWorker()
