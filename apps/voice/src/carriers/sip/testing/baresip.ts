import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeMulaw, encodeMulaw } from '@parley/voice-ports'
import { freePort } from './sipp.ts'

const PROGRAM = 'baresip'
const MODULES = '/usr/lib/baresip/modules'

export interface Baresip {
  readonly port: number
  /** What it said so far, sent and received SIP included. */
  output: () => string
  /** What it heard in its last call, which is over: mu-law. */
  heard: () => Promise<Uint8Array>
  close: () => Promise<void>
}

export interface BaresipOptions {
  readonly address: string
  readonly user: string
  readonly transport?: 'udp' | 'tcp' | 'tls'
  /** File of key and certificate, PEM. */
  readonly certificate?: string
  /** Of the account, such as mediaenc=srtp-mand. */
  readonly account?: string
  /** How long its tone is: baresip hangs up at the end. */
  readonly seconds?: number
  /** In the place of the tone: mu-law. */
  readonly says?: Uint8Array
}

/** Debian's baresip as a phone that answers every call. */
export async function baresip(options: BaresipOptions): Promise<Baresip> {
  const { address, user, transport = 'udp', certificate, account = '', seconds = 30, says } = options
  const dir = await mkdtemp(join(tmpdir(), 'baresip-'))
  const port = await freePort(address)
  const said = join(dir, 'say.wav')
  await writeFile(said, wavOf(says ? decodeMulaw(says) : tone(seconds)))
  const modules = ['g711', 'aufile', 'sndfile', 'srtp', 'account'].map((name) => `module ${name}.so`)
  const config = [
    'poll_method epoll',
    `sip_listen ${address}:${port}`,
    ...(certificate === undefined ? [] : [`sip_certificate ${certificate}`]),
    `module_path ${MODULES}`,
    `audio_source aufile,${said}`,
    `audio_player aufile,${join(dir, 'heard.wav')}`,
    // Each call's sound, as it is played and as it is sent.
    `snd_path ${dir}`,
    `audio_alert aufile,${join(dir, 'ring.wav')}`,
    'ausrc_srate 8000',
    'auplay_srate 8000',
    // In this order: the account names what the others bring.
    ...modules,
    'module_app menu.so',
  ]
  await writeFile(join(dir, 'config'), `${config.join('\n')}\n`)
  // A TLS port is the one above the configured port.
  const uri = `sip:${user}@${address};transport=${transport}`
  await writeFile(join(dir, 'accounts'), `<${uri}>;regint=0;answermode=auto;audio_codecs=PCMU${account}\n`)
  const child = spawn(PROGRAM, ['-f', dir, '-v', '-s'], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const over = new Promise<void>((resolve) => void child.once('close', () => resolve()))
  const ready = Promise.withResolvers<void>()
  const take = (chunk: Buffer) => {
    output = `${output}${chunk.toString()}`.slice(-200_000)
    if (output.includes('baresip is ready')) ready.resolve()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  child.once('error', ready.reject)
  void over.then(() => ready.reject(new Error(`baresip ended: ${output.slice(-1000)}`)))
  await ready.promise
  return {
    port: transport === 'tls' ? port + 1 : port,
    output: () => output,
    heard: async () => {
      const name = (await readdir(dir)).find((each) => each.startsWith('dump-') && each.endsWith('-dec.wav'))
      if (name === undefined) throw new Error('baresip has heard nothing.')
      const wav = await readFile(join(dir, name))
      const samples = Float64Array.from({ length: (wav.length - WAV_HEADER_BYTES) >> 1 }, (_, at) =>
        wav.readInt16LE(WAV_HEADER_BYTES + 2 * at),
      )
      return encodeMulaw(samples)
    },
    close: async () => {
      child.kill('SIGTERM')
      await over
      await rm(dir, { recursive: true, force: true })
    },
  }
}

const WAV_HEADER_BYTES = 44

/** 440 Hz at 8 kHz. */
function tone(seconds: number): Int16Array {
  return Int16Array.from({ length: 8000 * seconds }, (_, at) =>
    Math.round(8000 * Math.sin((2 * Math.PI * 440 * at) / 8000)),
  )
}

/** A WAV file of 8 kHz, 16 bit. */
function wavOf(samples: Int16Array): Buffer {
  const wav = Buffer.alloc(WAV_HEADER_BYTES + 2 * samples.length)
  wav.write('RIFF', 0)
  wav.writeUInt32LE(36 + 2 * samples.length, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(8000, 24)
  wav.writeUInt32LE(16_000, 28)
  wav.writeUInt16LE(2, 32)
  wav.writeUInt16LE(16, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(2 * samples.length, 40)
  for (const [at, sample] of samples.entries()) wav.writeInt16LE(sample, WAV_HEADER_BYTES + 2 * at)
  return wav
}
