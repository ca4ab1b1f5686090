import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { router } from './app/router.ts'
import { preferredLanguage, speak } from './lib/language.ts'
import { finishNativeSignIn, isNativeReturn } from './lib/nativeSignIn.ts'
import { registerWorker } from './lib/worker.ts'
import './theme.css'

const element = document.getElementById('root')
if (!element) throw new Error('index.html has no #root')
const root = createRoot(element)

/** The mark in index.html stands until the first screen's code and words are here, so nothing flashes in between. */
async function start(): Promise<void> {
  if (isNativeReturn()) return finishNativeSignIn()
  await Promise.all([router.load(), speak(preferredLanguage())])
  // In slices, so that a slow phone can still be touched meanwhile.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}

void start()
registerWorker()
