import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { announceFailure, App, prefetchSession } from './app/App.tsx'
import { preferredLanguage, speak } from './lib/language.ts'
import { platform, startPlatform } from './lib/platform/index.ts'
import { registerWorker } from './lib/live/worker.ts'
import './theme.css'

/** The logo in index.html stays until the first screen's code and texts are loaded, so nothing flashes. */
async function start(element: Element): Promise<void> {
  await startPlatform()
  registerWorker()
  prefetchSession()
  // Separate tasks keep the page responsive in between.
  const { createAppRouter } = await import('./app/router.ts')
  const router = createAppRouter()
  platform().onLink((path) => router.history.push(path))
  platform().onFailure(announceFailure)
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
