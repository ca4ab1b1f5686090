import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { preferredLanguage, speak } from './lib/language.ts'
import { finishNativeSignIn, isNativeReturn } from './lib/native/nativeSignIn.ts'
import { registerWorker } from './lib/live/worker.ts'
import './theme.css'

/** The logo in index.html stays until the first screen's code and texts are loaded, so nothing flashes. */
async function start(element: Element): Promise<void> {
  if (isNativeReturn()) return finishNativeSignIn()
  // Separate tasks keep the page responsive in between.
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
