import { devicesRoutes, SESSION_TOKEN_HEADER, shellsRoutes } from '@parley/contract'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { platform, type Platform } from '../../src/lib/platform/index.ts'
import { Device } from '../device.ts'
import { API, enterShell, leaveShell } from '../shell.ts'
import { bodiesOf, type FakeApi, serve } from '../testing.tsx'

// What both sides of the port promise, and then what each does in its own way.

/** The page in a browser, and in both shells. */
const SIDES = [undefined, 'ios', 'android'] as const
const TOKEN = 'pst_first'

let device: Device
let tickets = 0

async function enter(
  kind: (typeof SIDES)[number],
  prepare: (device: Device) => void = () => undefined,
  pushServices: readonly string[] = [],
): Promise<Platform> {
  const api = serve()
  api.answer(shellsRoutes.createTicket, () => ({ ticket: `t${++tickets}`, expiresAt: new Date().toISOString() }))
  device = new Device(kind ?? 'ios')
  prepare(device)
  if (kind) await enterShell(device, undefined, pushServices)
  return platform()
}

beforeEach(() => {
  tickets = 0
  sessionStorage.removeItem('parley.launch')
})
afterEach(leaveShell)

/** Clicks on files of this page do not download during the test. */
function caughtDownloads(): { names: string[]; stop: () => void } {
  const names: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  return { names, stop: () => click.mockRestore() }
}

/** Clicks on a link of the page. */
function follow(href: string): void {
  const link = document.createElement('a')
  link.href = href
  document.body.append(link)
  link.click()
  link.remove()
}

describe.each(SIDES)('the port on %s', (kind) => {
  test('a socket leads to the path with its query, over ws', async () => {
    const side = await enter(kind)
    const url = new URL(await side.socketUrl('/ws?userId=u1'))
    expect([url.protocol, url.pathname, url.searchParams.get('userId')]).toEqual([kind ? 'wss:' : 'ws:', '/ws', 'u1'])
  })

  test('a bank sends the user back by http to the path', async () => {
    const side = await enter(kind)
    const url = new URL(side.returnUrl('/billing/success?credits=10'))
    expect(url.protocol).toMatch(/^https?:$/)
    const path = kind ? url.searchParams.get('to') : url.pathname + url.search
    expect(path).toBe('/billing/success?credits=10')
  })

  test('a text reaches the user as a file of its name', async () => {
    const side = await enter(kind)
    const caught = caughtDownloads()
    await side.saveText('transcript-+12025550100.txt', 'Agent: Good evening, señor')
    caught.stop()
    const shared = device.shared.map(({ title }) => title)
    expect(kind ? shared : caught.names).toEqual(['transcript-+12025550100.txt'])
    const written = kind ? 'Agent: Good evening, señor' : ''
    expect(device.textOf('transcript-+12025550100.txt')).toBe(written)
  })

  test('notices have a permission, and asking answers it', async () => {
    const side = await enter(kind)
    expect(['unasked', 'denied', 'granted', 'unsupported']).toContain(side.notices.permission())
    if (!kind) return
    expect(side.notices.permission()).toBe('unasked')
    await side.notices.ask()
    expect(side.notices.permission()).toBe('granted')
  })

  test('Apple and passkeys are offered where they work', async () => {
    const side = await enter(kind)
    expect([side.offersApple, side.offersPasskeys]).toEqual([kind === 'ios', kind === undefined])
    device.answer('SocialLogin', 'initialize', () => {
      throw new Error('The dialog of iOS')
    })
    const reason = kind === 'ios' ? 'The dialog of iOS' : 'Apple Sign In only available on iOS'
    await expect(side.signInWithApple()).rejects.toThrow(reason)
  })

  test('requests carry cookies in a browser, and the platform with the token in a shell', async () => {
    const side = await enter(kind, ({ secure }) => secure.set('parley_session', TOKEN))
    expect([side.credentials, side.headers()]).toEqual(
      kind ? ['omit', { 'parley-shell': kind, authorization: `Bearer ${TOKEN}` }] : ['include', {}],
    )
  })
})

describe.each(['ios', 'android'] as const)('in the %s shell', (kind) => {
  test('an answer with a token signs in, is kept in secure storage and is replaced by a later one', async () => {
    const side = await enter(kind)
    expect(side.headers()).toEqual({ 'parley-shell': kind })
    for (const token of [TOKEN, 'pst_second']) {
      await side.received(new Headers({ [SESSION_TOKEN_HEADER]: token }))
      expect(side.headers()).toMatchObject({ authorization: `Bearer ${token}` })
      expect([...device.secure]).toEqual([['parley_session', token]])
    }
    expect(side.received(new Headers())).toBeUndefined()
    expect(side.headers()).toMatchObject({ authorization: 'Bearer pst_second' })
  })

  test('the end of the session leaves no token, neither in memory nor in storage', async () => {
    const side = await enter(kind, ({ secure }) => secure.set('parley_session', TOKEN))
    await side.sessionEnded()
    expect(side.headers()).toEqual({ 'parley-shell': kind })
    expect(device.secure.size).toBe(0)
  })

  test('starts signed out when secure storage cannot be read', async () => {
    const side = await enter(kind, (each) =>
      each.answer('SecureStorage', 'internalGetItem', () => {
        throw new Error('The key is gone')
      }),
    )
    expect(side.headers()).toEqual({ 'parley-shell': kind })
  })

  test('each socket gets a ticket of its own, for path and query', async () => {
    const side = await enter(kind)
    const api = serve()
    api.answer(shellsRoutes.createTicket, () => ({ ticket: `t${++tickets}`, expiresAt: new Date().toISOString() }))
    const urls = [await side.socketUrl('/ws?userId=u1'), await side.socketUrl('/ws?userId=u1')]
    expect(urls).toEqual([1, 2].map((n) => `${API.replace('https', 'wss')}/ws?userId=u1&ticket=t${n}`))
    expect(bodiesOf(api.requests(shellsRoutes.createTicket))).toEqual([
      { path: '/ws?userId=u1' },
      { path: '/ws?userId=u1' },
    ])
  })

  test('a file of several pieces is written whole, shared, and a canceled sheet is no failure', async () => {
    const side = await enter(kind)
    let failures = 0
    side.onFailure(() => failures++)
    device.answer('Share', 'share', () => {
      throw new Error('Share canceled')
    })
    const text = 'ñ'.repeat(400_000)
    await side.saveText('../long: file?.txt', text)
    const [name] = [...device.files.keys()]
    expect(name).toBe('..-long- file-.txt')
    expect(device.files.get(name ?? '')!.length).toBeGreaterThan(1)
    expect(failures).toBe(0)
    device.answer('Share', 'share', () => {
      throw new Error('No app can open this')
    })
    await side.saveText('short.txt', 'short')
    expect(failures).toBe(1)
  })

  // screens.md: opens-app-browser-whose
  test('another site opens in the in-app browser with a green toolbar', async () => {
    await enter(kind)
    follow('https://parley.example/about')
    expect(device.asked('Browser', 'open')).toEqual([{ url: 'https://parley.example/about', toolbarColor: '#4CAF50' }])
  })

  // screens.md: followed-plain-navigation-when
  test('another site opens by plain navigation when the in-app browser fails', async () => {
    const navigated: string[] = []
    serve()
    device = new Device(kind)
    device.answer('Browser', 'open', () => {
      throw new Error('There is no browser')
    })
    await enterShell(device, (url) => navigated.push(url))
    follow('https://parley.example/about')
    await expect.poll(() => navigated).toEqual(['https://parley.example/about'])
  })

  test('a tapped notification opens its call, also one that started the app', async () => {
    const side = await enter(kind)
    const tapped = (callId: string) => ({ notification: { extra: { callId } } })
    device.emit('LocalNotifications', 'localNotificationActionPerformed', tapped('first'))
    const opened: string[] = []
    const stop = side.notices.onOpen((callId) => opened.push(callId))
    device.emit('LocalNotifications', 'localNotificationActionPerformed', tapped('second'))
    device.emit('PushNotifications', 'pushNotificationActionPerformed', { notification: { data: { callId: 'third' } } })
    stop()
    expect(opened).toEqual(['first', 'second', 'third'])
  })

  describe('push', () => {
    const token = (value: string) => device.emit('PushNotifications', 'registration', { value })
    const added = (api: FakeApi) => bodiesOf(api.requests(devicesRoutes.add))
    const removed = (api: FakeApi) => api.requests(devicesRoutes.remove).map(({ params }) => params['id'])

    /** A signed-in phone that may notify; each token that it adds is a device of its own. */
    async function pushes(prepare: (each: Device) => void = () => undefined) {
      const side = await enter(
        kind,
        (each) => {
          each.secure.set('parley_session', TOKEN)
          each.notifications = 'granted'
          prepare(each)
        },
        [kind],
      )
      const api = serve()
      let devices = 0
      api.answer(devicesRoutes.add, () => ({ id: `device-${++devices}`, reached: true }))
      api.answer(devicesRoutes.remove, { message: 'Removed.' })
      return { side, api }
    }

    test('adds the phone at the start, and a new token of the system takes the place of the old one', async () => {
      const { side, api } = await pushes()
      expect(device.asked('PushNotifications', 'register')).toHaveLength(1)
      let heard = 0
      side.notices.onReach(() => heard++)
      token('first')
      await expect.poll(() => heard).toBe(1)
      expect(side.notices.reachesClosed()).toBe(true)
      token('second')
      await expect.poll(() => removed(api)).toEqual(['device-1'])
      expect(added(api)).toEqual(['first', 'second'].map((each) => ({ platform: kind, token: each, language: 'en' })))
    })

    test('switched off stays off over a start, and a late token is not added', async () => {
      const { side, api } = await pushes()
      token('first')
      await expect.poll(() => side.notices.reachesClosed()).toBe(true)
      side.notices.switched(false)
      await expect.poll(() => removed(api)).toEqual(['device-1'])
      token('late')
      leaveShell()
      const again = await pushes()
      expect(device.asked('PushNotifications', 'register')).toEqual([])
      again.side.notices.switched(true)
      expect(device.asked('PushNotifications', 'register')).toHaveLength(1)
      expect(added(api)).toHaveLength(1)
    })

    test('the end of the session makes the token of the phone invalid', async () => {
      const { side } = await pushes()
      token('first')
      await expect.poll(() => side.notices.reachesClosed()).toBe(true)
      await side.sessionEnded()
      await side.sessionEnded()
      expect(device.asked('PushNotifications', 'unregister')).toHaveLength(1)
      expect(localStorage.getItem('parley.device')).toBeNull()
    })

    test('asks nothing of a visitor, nor without permission', async () => {
      await pushes((each) => each.secure.clear())
      expect(device.asked('PushNotifications', 'register')).toEqual([])
      leaveShell()
      await pushes((each) => (each.notifications = 'prompt'))
      expect(device.asked('PushNotifications', 'register')).toEqual([])
    })
  })

  test('two notices of a call have one id, those of two calls have two', async () => {
    const side = await enter(kind)
    for (const callId of ['a', 'a', 'b']) await side.notices.show({ callId, title: 'Call ended', body: 'Met' })
    const ids = device
      .asked('LocalNotifications', 'schedule')
      .map(({ notifications }) => (notifications as { id: number }[])[0]!.id)
    expect(ids[0]).toBe(ids[1])
    expect(ids[2]).not.toBe(ids[0])
    expect(ids.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)).toBe(true)
  })

  test('a chosen contact gives its main number; no choice gives none; a denial is an error', async () => {
    const side = await enter(kind)
    device.answer('CapacitorContacts', 'pickContacts', () => ({
      contacts: [
        {
          id: '1',
          fullName: 'Trattoria Verde',
          organizationName: 'Verde',
          phoneNumbers: [{ value: '+1 202 555 0101' }, { value: '+1 202 555 0100', isPrimary: true }],
          emailAddresses: [{ value: 'ada@verde.example' }],
        },
      ],
    }))
    const chosen = { name: 'Trattoria Verde', company: 'Verde', phone: '+1 202 555 0100', email: 'ada@verde.example' }
    expect(await side.pickContact?.()).toEqual(chosen)
    device.answer('CapacitorContacts', 'pickContacts', () => {
      throw new Error('User cancelled')
    })
    expect(await side.pickContact?.()).toBeUndefined()
    device.answer('CapacitorContacts', 'pickContacts', () => {
      throw new Error('Permission denied')
    })
    await expect(side.pickContact?.()).rejects.toThrow('Permission denied')
  })

  test('back goes back, and from the first page leaves the app', async () => {
    await enter(kind)
    const back = vi.spyOn(history, 'back').mockImplementation(() => undefined)
    device.emit('App', 'backButton', { canGoBack: true })
    expect([back.mock.calls.length, device.asked('App', 'minimizeApp').length]).toEqual([1, 0])
    device.emit('App', 'backButton', { canGoBack: false })
    expect([back.mock.calls.length, device.asked('App', 'minimizeApp').length]).toEqual([1, 1])
    back.mockRestore()
  })

  test('the status bar follows the chosen theme', async () => {
    const { setTheme } = await import('../../src/lib/theme.ts')
    await enter(kind)
    for (const [theme, style] of [
      ['dark', 'DARK'],
      ['light', 'LIGHT'],
    ] as const) {
      setTheme(theme)
      await expect.poll(() => device.asked('StatusBar', 'setStyle').at(-1)).toEqual({ style })
    }
  })
})
