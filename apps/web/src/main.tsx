import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { preferredLanguage, speak } from './lib/language.ts'
import { finishNativeSignIn, isNativeReturn } from './lib/native/nativeSignIn.ts'
import { registerWorker } from './lib/live/worker.ts'
import './theme.css'

/** The mark in index.html stands until the first screen's code and words are here, so nothing flashes in between. */
async function start(element: Element): Promise<void> {
  if (isNativeReturn()) return finishNativeSignIn()
  // In tasks of their own, so that the page can be touched, scrolled and painted in between.
  const { createAppRouter } = await import('./app/router.ts')
  const router = createAppRouter()
  await Promise.all([router.load(), speak(preferredLanguage())])
  const root = createRoot(element)
  startTransition(() =>
    root.render(
      <StrictMode>
        <App router={router} />
      </StrictMode>,
    ),
  )
}

const element = document.getElementById('root')
if (!element) throw new Error('index.html has no #root')
void start(element)
registerWorker()
