import { platform } from '../platform/index.ts'

/** Registers the service worker (offline page, notifications) after the page has loaded. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || !platform().hasWorker || !import.meta.env.PROD) return
  const register = () => void navigator.serviceWorker.register('/worker.js').catch(() => undefined)
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}
