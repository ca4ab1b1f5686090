import { spokenLanguage } from '@parley/contract'
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import Front from './app/screens/Front.tsx'
import { onLanguageChange, preferredLanguage, speak } from './lib/language.ts'
import { registerWorker } from './lib/live/worker.ts'
import { frontWords } from './words/front.ts'
import './theme.css'

/** Hydrates the page, which was rendered at build time. */
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
  // The server chose the language by a cookie; without it, the stored choice applies.
  await speak(preferredLanguage())
}

const root = document.getElementById('root')
if (!root) throw new Error('landing.html has no #root')
void start(root)
registerWorker()
