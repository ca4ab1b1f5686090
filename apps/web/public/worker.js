// Caches one offline page and shows notifications of ended calls. Nothing else is cached: no response of the server
// and no code of the app.

const OFFLINE = '/offline.html'
const CACHE = 'offline'

self.addEventListener('install', (event) => {
  const keep = async () => (await caches.open(CACHE)).add(new Request(OFFLINE, { cache: 'reload' }))
  event.waitUntil(keep().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  // The page may be requested while this worker is still starting.
  event.waitUntil(Promise.all([self.registration.navigationPreload?.enable(), self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate') event.respondWith(navigate(event))
})

async function navigate({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request))
  } catch {
    return (await caches.match(OFFLINE)) ?? Response.error()
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openCall(event.notification.data.callId))
})

/** In an open window if there is one, else in a new one. */
async function openCall(callId) {
  const [client] = await self.clients.matchAll({ type: 'window' })
  if (!client) return self.clients.openWindow(`/dashboard?call=${encodeURIComponent(callId)}`)
  client.postMessage({ type: 'open_call', callId })
  return client.focus()
}
