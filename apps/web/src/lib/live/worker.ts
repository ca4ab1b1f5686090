import { nativeShell } from '../native/native.ts'

/** The worker for the page without a network and for notifications; it comes when the page has all it needs. */
export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || nativeShell() || !import.meta.env.PROD) return
  const register = () => void navigator.serviceWorker.register('/worker.js').catch(() => undefined)
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

/** What a click on a notification asks of the page that is open. */
export function onOpenCall(open: (callId: string) => void): () => void {
  const listen = ({ data }: MessageEvent<unknown>) => {
    const asked = typeof data === 'object' && data !== null && 'type' in data && data.type === 'open_call'
    if (asked && 'callId' in data && typeof data.callId === 'string') open(data.callId)
  }
  const container: ServiceWorkerContainer | undefined = navigator.serviceWorker
  container?.addEventListener('message', listen)
  return () => container?.removeEventListener('message', listen)
}
