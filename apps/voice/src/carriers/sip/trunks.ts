import { isIP } from 'node:net'
import { E164 } from '@parley/contract'
import { z } from 'zod'
import { isHost } from './signalling/syntax.ts'

const Host = z
  .string()
  .max(253)
  .refine((text) => isIP(text) !== 0 || isHost(text), {
    error: 'must be a host name or an IP address',
  })
const NO_CONTROLS = /^[^\p{Cc}]*$/u
const Credential = z.string().min(1).max(128).regex(NO_CONTROLS, 'must not hold control characters')
const Digits = z.string().regex(/^[0-9*#]{0,8}$/, 'must be up to 8 digits, * or #')
const Network = z.string().refine(
  (text) => {
    const [address = '', bits, ...more] = text.split('/')
    const family = isIP(address)
    const most = family === 6 ? 128 : 32
    return family !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  },
  { error: 'must be an IP address, or a network such as 198.51.100.0/24' },
)

const TrunkShape = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/, 'must be up to 32 letters, digits and dashes')
    .meta({ description: 'in logs and metrics' }),
  host: Host.meta({
    description: 'where the trunk is: a name (its SRV records are used without a port) or an address',
  }),
  port: z.int().min(1).max(65_535).optional().meta({ description: '5060, with tls 5061' }),
  transport: z.enum(['udp', 'tcp', 'tls']).default('udp'),
  domain: Host.optional().meta({ description: 'domain of the addresses, where it is not the host' }),
  username: Credential.regex(/^[A-Za-z0-9\-_.!~*'()&=+$,;?/%@]+$/, 'must be a SIP user name').optional(),
  password: Credential.optional(),
  register: z.boolean().default(false).meta({ description: 'register there, and stay registered' }),
  identity: E164.optional().meta({ description: 'the number that calls come from, unless the call names one' }),
  callerIdentity: z.enum(['pai', 'from', 'none']).default('pai').meta({
    description: 'pai: From and P-Asserted-Identity; from: From alone; none: the user name alone',
  }),
  privacy: z.boolean().default(false).meta({ description: 'withholds the number from the callee (Privacy: id)' }),
  codecs: z
    .array(z.enum(['pcmu', 'pcma']))
    .min(1)
    .max(2)
    .default(['pcmu', 'pcma']),
  srtp: z.enum(['off', 'sdes', 'required']).default('off'),
  sources: z.array(Network).max(64).default([]).meta({ description: 'more addresses that the trunk sends from' }),
  concurrency: z.int().min(1).max(5000).default(10),
  callsPerSecond: z.number().min(0.1).max(200).default(1),
  numberFormat: z.enum(['e164', 'e164-plus', 'national']).default('e164-plus'),
  national: z
    .strictObject({
      countryCode: z.string().regex(/^[1-9]\d{0,2}$/, 'must be a country code such as 49'),
      nationalPrefix: Digits.default(''),
      internationalPrefix: Digits.default('00'),
    })
    .optional()
    .meta({ description: 'for numberFormat national: how numbers are dialed there' }),
  dialPrefix: Digits.default('').meta({ description: 'stands before every number' }),
  sessionSeconds: z.int().min(90).max(7200).default(600).meta({
    description: 'the trunk hangs up when this process has been silent for so long',
  }),
  health: z.boolean().default(true).meta({ description: 'asks every 30 s whether it is there (OPTIONS)' }),
})

/** One way to the telephone network. */
export const Trunk = TrunkShape.superRefine((trunk, context) => {
  const wrong = (path: keyof typeof trunk, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (trunk.password !== undefined && trunk.username === undefined) wrong('username', 'is needed with a password')
  if (trunk.username !== undefined && trunk.password === undefined) wrong('password', 'is needed with a username')
  if (trunk.register && trunk.username === undefined) wrong('register', 'needs username and password')
  if (trunk.srtp !== 'off' && trunk.transport !== 'tls')
    wrong('srtp', 'needs transport tls: its keys travel within the signalling')
  if (trunk.numberFormat === 'national' && !trunk.national) wrong('national', 'is needed with numberFormat national')
  if (trunk.privacy && trunk.callerIdentity === 'from')
    wrong('privacy', 'needs callerIdentity pai or none: with "from" the number is all that says who calls')
})
export type Trunk = z.infer<typeof Trunk>

const TrunkFile = z.strictObject({
  listen: z
    .strictObject({
      address: z
        .string()
        .refine((text) => isIP(text) !== 0, { error: 'must be an IP address' })
        .default('0.0.0.0'),
      port: z.int().min(0).max(65_535).default(5060),
      publicHost: Host.optional().meta({ description: 'what trunks are told in place of the address, behind a NAT' }),
    })
    .prefault({}),
  certificates: z
    .string()
    .includes('BEGIN CERTIFICATE', { error: 'must be certificates in PEM form' })
    .optional()
    .meta({ description: 'authorities to trust for tls in place of those of the system' }),
  trunks: z
    .array(Trunk)
    .min(1)
    .max(32)
    .refine((trunks) => new Set(trunks.map(({ name }) => name)).size === trunks.length, {
      error: 'must have names of their own',
    }),
})
export type TrunkFile = z.infer<typeof TrunkFile>

/** Reads the text of a trunk file. Throws an Error whose message says what to change. */
export function readTrunks(text: string): TrunkFile {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    // The parser quotes what it read, which may be a password.
    throw new Error('The trunk file is not JSON.', { cause: error instanceof Error ? error.name : error })
  }
  const { data, error } = TrunkFile.safeParse(json)
  if (data) return data
  const problems = error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'the file'} ${message}`)
  throw new Error(`The trunk file cannot be used: ${problems.join('; ')}.`)
}
