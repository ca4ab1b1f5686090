import { Liveness, PROBE_PATHS, type VoiceHealth } from '@parley/contract'
import type { BackgroundChecks, Check } from '@parley/contract/checks'
import type { Ear, Mind, Mouth } from '@parley/voice-ports'
import type { Config } from './config.ts'
import { isUsable } from './telephony.ts'

/** What the checks of a voice service look at. */
export interface CheckedParts {
  readonly config: Config
  readonly ears: readonly Ear[]
  readonly mouth: Mouth
  readonly mind: Mind
  readonly hearsRealLines: boolean
  /** Of real carriers; none with the simulated network. */
  readonly carrierChecks: readonly Check[]
  /** Of the vendors of ears and mouths. */
  readonly speechChecks: readonly Check[]
  /** Of the language models. */
  readonly mindChecks: readonly Check[]
}

/** One harmless request, or look, at each part of a voice service. */
export function checksOf(parts: CheckedParts): Check[] {
  const { config, ears, mouth, mind, hearsRealLines, carrierChecks, speechChecks, mindChecks } = parts
  const { publicUrl, telephony } = config
  const constant = (part: string, result: Awaited<ReturnType<Check['run']>>): Check => ({
    part,
    mend: '',
    run: () => Promise.resolve(result),
  })
  const deaf = {
    ok: false,
    problem: 'No ear understands what is said on a real line, so calls over a real carrier are refused.',
    mend: 'Set EAR to one that hears real lines, or CARRIER=simulated; SANDBOX_NUMBERS=on lets test numbers be called.',
  } as const
  return [
    ...(telephony.isReal
      ? carrierChecks
      : [constant('carrier', { ok: true, detail: 'The simulated network: nobody real is called.' })]),
    constant(
      'ear',
      telephony.isReal && !hearsRealLines
        ? deaf
        : { ok: true, detail: `It hears by ${ears.map(({ name }) => name).join(', then ')}.` },
    ),
    ...speechChecks,
    constant('mouth', { ok: true, detail: `It speaks by ${mouth.name}.` }),
    constant('mind', { ok: true, detail: `It thinks by ${mind.name}.` }),
    ...mindChecks,
    ...(publicUrl === null ? [] : [publicAddress(publicUrl)]),
  ]
}

function publicAddress(publicUrl: string): Check {
  const mend = `Let ${publicUrl} lead to VOICE_PORT of this node, or correct PUBLIC_VOICE_URL.`
  return {
    part: 'PUBLIC_VOICE_URL',
    mend,
    async run(signal) {
      // A connection that was kept may be closed by its other end, this busy process, as it is used again.
      const headers = { connection: 'close' }
      const answer = await fetch(publicUrl + PROBE_PATHS.livez, { signal, redirect: 'error', headers })
      const isOurs = Liveness.safeParse(await answer.json().catch(() => undefined)).success
      if (answer.ok && isOurs) return { ok: true, detail: `${publicUrl} leads to a voice service.` }
      return { ok: false, problem: `${publicUrl} answers ${answer.status}, and not as a voice service.`, mend }
    },
  }
}

interface Phone extends Pick<CheckedParts, 'config' | 'hearsRealLines'> {
  readonly checks: Pick<BackgroundChecks, 'results'>
}

/** Whether real lines can be used, by the last look. One carrier that would place calls is enough. */
export function phoneState({ config, hearsRealLines, checks }: Phone): NonNullable<VoiceHealth['phone']> {
  if (!config.telephony.isReal) return 'ready'
  if (!hearsRealLines) return 'deaf'
  const { results } = checks
  if (results.length === 0) return 'checking'
  return config.telephony.used.some((name) => isUsable(results, name)) ? 'ready' : 'broken'
}
