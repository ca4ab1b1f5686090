import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import twilio from 'twilio'
import { afterEach } from 'vitest'
import { WebSocketServer, type WebSocket } from 'ws'
import { startTwilioFarEnd, type TwilioFarEnd, type TwilioFarEndOptions } from './index.ts'

/** Starts what a test needs and closes it at the end of each test. */
export function openFarEnds() {
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()))
  })
  const kept = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const started = await starting
    open.push(started)
    return started
  }
  return {
    farEnd: (options?: TwilioFarEndOptions) => kept(startTwilioFarEnd(options)),
    customer: () => kept(startCustomer()),
  }
}

/** The official package, with its requests sent to a far end. */
export function clientOf(
  farEnd: TwilioFarEnd,
  { username = farEnd.accountSid, password = farEnd.authToken, timeoutMs = 5000 } = {},
): twilio.Twilio {
  const requests = new twilio.RequestClient({ timeout: timeoutMs })
  const send = requests.request.bind(requests)
  requests.request = (options) => send({ ...options, uri: options.uri.replace('https://api.twilio.com', farEnd.url) })
  return twilio(username, password, { accountSid: farEnd.accountSid, httpClient: requests })
}

export interface Received {
  readonly url: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly form: Readonly<Record<string, string>>
  readonly atMs: number
}

type Message = Readonly<Record<string, unknown>> & { readonly event: string }

/** A media socket of the far end at the customer. */
export class Media {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly messages: { readonly message: Message; readonly atMs: number }[] = []
  readonly socket: WebSocket
  closeCode: number | null = null

  constructor(socket: WebSocket, asked: IncomingMessage, url: string) {
    this.socket = socket
    this.url = url
    this.headers = asked.headers
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Message
      this.messages.push({ message, atMs: performance.now() })
    })
    socket.on('close', (code) => (this.closeCode = code))
  }

  get streamSid(): string {
    return String(this.of('start')[0]?.['streamSid'])
  }

  of(event: string): Message[] {
    return this.messages.map(({ message }) => message).filter((message) => message.event === event)
  }

  /** All audio that came, one after the other. */
  get audio(): Uint8Array[] {
    return this.of('media').map(({ media }) => Buffer.from((media as { payload: string }).payload, 'base64'))
  }

  play(audio: Uint8Array): void {
    this.send({ event: 'media', media: { payload: Buffer.from(audio).toString('base64') } })
  }

  mark(name: string): void {
    this.send({ event: 'mark', mark: { name } })
  }

  clear(): void {
    this.send({ event: 'clear' })
  }

  send(message: Readonly<Record<string, unknown>>): void {
    this.socket.send(JSON.stringify({ streamSid: this.streamSid, ...message }))
  }
}

export interface Customer {
  readonly url: string
  /** Address of the media socket. */
  readonly mediaUrl: string
  readonly received: readonly Received[]
  readonly media: readonly Media[]
  /** What TwiML is answered, by path; a number is an HTTP status. Everything else is 204. */
  readonly twiml: Map<string, string | number>
  /** Mu-law by path. */
  readonly sounds: Map<string, Uint8Array>
  /** Callbacks to a path. */
  at(path: string): Received[]
  close(): Promise<void>
}

/** The customer's side: takes callbacks, answers TwiML and takes media sockets. */
async function startCustomer(): Promise<Customer> {
  const received: Received[] = []
  const media: Media[] = []
  const twiml = new Map<string, string | number>()
  const sounds = new Map<string, Uint8Array>()
  const server = createServer((asked, response) => {
    void readAll(asked).then((text) => {
      const url = `${base}${asked.url ?? ''}`
      const form = Object.fromEntries(new URLSearchParams(text))
      received.push({ url, method: asked.method ?? '', headers: asked.headers, form, atMs: performance.now() })
      const answer = twiml.get(new URL(url).pathname)
      const sound = sounds.get(new URL(url).pathname)
      if (sound) response.writeHead(200, { 'content-type': 'audio/basic' }).end(sound)
      else if (typeof answer === 'string') response.writeHead(200, { 'content-type': 'text/xml' }).end(answer)
      else response.writeHead(answer ?? 204).end()
    })
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (asked, socket, head) => {
    if (!asked.url?.startsWith('/media/')) {
      socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
      return
    }
    sockets.handleUpgrade(asked, socket, head, (opened) => {
      media.push(new Media(opened, asked, `${base.replace('http', 'ws')}${asked.url}`))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  // A server that listens on a port has such an address.
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: base,
    mediaUrl: `${base.replace('http', 'ws')}/media/token`,
    received,
    media,
    twiml,
    sounds,
    at: (path) => received.filter(({ url }) => new URL(url).pathname === path),
    async close() {
      for (const each of sockets.clients) each.terminate()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

async function readAll(asked: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of asked) text += String(chunk)
  return text
}

/** TwiML that connects a call with a customer's media socket. */
export function connecting(customer: Customer, more = ''): string {
  const stream = `<Stream url="${customer.mediaUrl}"><Parameter name="call" value="c-1"/></Stream>`
  return `<Response><Connect>${stream}</Connect>${more}</Response>`
}

/** An address where nothing listens. */
export async function deadUrl(): Promise<string> {
  const gone = await startCustomer()
  await gone.close()
  return gone.url
}
