import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAM = 'sipp'

/** Whether a program of a far end is on this machine. */
export const isInstalled = (program: string): boolean => spawnSync('which', [program]).status === 0

export interface SendFields {
  readonly headers?: readonly string[]
  readonly sdp?: boolean
  /** Of the response; by default that of the last request. */
  readonly cseq?: string
  readonly withoutVia?: boolean
}

/** A response of sipp to the last request. */
export function send(status: string, { headers = [], sdp = false, cseq, withoutVia }: SendFields = {}): string {
  const body = ['v=0', 'o=- 1 1 IN IP4 [local_ip]', 's=-', 'c=IN IP4 [local_ip]', 't=0 0', 'm=audio 40002 RTP/AVP 0']
  const lines = [
    `SIP/2.0 ${status}`,
    ...(withoutVia ? [] : ['[last_Via:]']),
    '[last_From:]',
    '[last_To:];tag=far',
    '[last_Call-ID:]',
    cseq === undefined ? '[last_CSeq:]' : `CSeq: ${cseq}`,
    'Contact: <sip:far@[local_ip]:[local_port];transport=[transport]>',
    ...headers,
    ...(sdp ? ['Content-Type: application/sdp'] : []),
    'Content-Length: [len]',
    '',
    ...(sdp ? [...body, ''] : []),
  ]
  return `<send><![CDATA[\n${lines.join('\n')}\n]]></send>`
}

export const recv = (method: string, attributes = '', action = ''): string =>
  `<recv request="${method}" ${attributes} timeout="20000">${action}</recv>`
export const pause = (ms: number): string => `<pause milliseconds="${ms}"/>`

/** A request of sipp within the call that it took. */
export function ask(method: string, headers: readonly string[] = []): string {
  const lines = [
    `${method} [$contact] SIP/2.0`,
    'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
    'From: <sip:far@[local_ip]>;tag=far',
    'To: [$from]',
    '[last_Call-ID:]',
    `CSeq: 1 ${method}`,
    'Max-Forwards: 70',
    ...headers,
    'Content-Length: 0',
    '',
  ]
  return `<send retrans="500"><![CDATA[\n${lines.join('\n')}\n]]></send><recv response="200" timeout="10000"/>`
}

/** Keeps what ask() needs of the INVITE. */
export const recvInvite = recv(
  'INVITE',
  '',
  '<action>' +
    '<ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" assign_to="contact"/>' +
    '<ereg regexp="&lt;sip:.*" search_in="hdr" header="From:" assign_to="from"/>' +
    '</action>',
)

export interface Sipp {
  readonly port: number
  /** Of its process: 0 when the scenario went as written. What it said otherwise. */
  readonly done: Promise<{ readonly code: number | null; readonly output: string }>
  kill(): void
}

/** Starts sipp as the trunk at an address of this machine, for one call. */
export async function sipp(address: string, steps: readonly string[], transport: 'u1' | 't1' = 'u1'): Promise<Sipp> {
  const dir = await mkdtemp(join(tmpdir(), 'sipp-'))
  const file = join(dir, 'scenario.xml')
  const uses = steps.join('').includes('[$contact]') ? '' : '<Reference variables="contact,from"/>'
  const declared = steps.includes(recvInvite) ? uses : ''
  const head = '<?xml version="1.0" encoding="ISO-8859-1" ?>\n<!DOCTYPE scenario SYSTEM "sipp.dtd">'
  await writeFile(file, `${head}\n<scenario name="trunk">\n${steps.join('\n')}\n${declared}</scenario>\n`)
  const port = await freePort(address)
  const args = ['-sf', file, '-i', address, '-p', String(port), '-t', transport, '-m', '1', '-nostdin']
  const child = spawn(
    PROGRAM,
    [...args, '-timeout', '40s', '-timeout_error', '-trace_err', '-error_file', join(dir, 'err')],
    {
      cwd: dir,
      env: { TERM: 'dumb' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const done = ended(child).then(async (outcome) => {
    await rm(dir, { recursive: true, force: true })
    return outcome
  })
  if (transport === 't1') await listening(address, port, child)
  return { port, done, kill: () => void child.kill('SIGKILL') }
}

async function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = ''
  const keep = (chunk: Buffer) => {
    output = `${output}${chunk.toString()}`.slice(-4000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', reject)
  })
  return { code, output }
}

export async function freePort(address: string): Promise<number> {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => void socket.bind({ address, port: 0 }, resolve))
  const { port } = socket.address()
  await new Promise<void>((resolve) => void socket.close(resolve))
  return port
}

/** Tries to connect until somebody listens, or the process is gone. */
async function listening(host: string, port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const isThere = await new Promise<boolean>((resolve) => {
      const socket = connect({ host, port })
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isThere) return
    await new Promise((resolve) => void setTimeout(resolve, 50))
  }
  throw new Error('the process ended before it listened')
}
