import { nativeShell } from '../native/native.ts'

/** Registers the service worker (offline page, notifications) after the page has loaded. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || nativeShell() || !import.meta.env.PROD) return
  const register = () => void navigator.serviceWorker.register('/worker.js').catch(() => undefined)
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

/** The message of a clicked notification to the open page. */
export function onOpenCall(open: (callId: string) => void): () => void {
  const listen = ({ data }: MessageEvent<unknown>) => {
    const isOpenCall = typeof data === 'object' && data !== null && 'type' in data && data.type === 'open_call'
    if (isOpenCall && 'callId' in data && typeof data.callId === 'string') open(data.callId)
  }
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker
  container?.addEventListener('message', listen)
  return () => container?.removeEventListener('message', listen)
}
