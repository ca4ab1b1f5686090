import type { MediaOptions, OpenMedia } from '../media-port.ts'
import { bindPorts, DEFAULT_PORTS, type PortRange } from './ports.ts'
import { RtpSession } from './session.ts'

export { MediaError } from '../media-port.ts'

export interface RtpOptions extends MediaOptions {
  /** Default 40000–43999: 2000 legs. */
  readonly ports?: PortRange
}

/** Opens the media of a leg on two ports of its own. Rejects with MediaError when none is free. */
export const openRtp = (async (options: RtpOptions): Promise<RtpSession> =>
  new RtpSession(await bindPorts(options.localAddress, options.ports ?? DEFAULT_PORTS), options)) satisfies OpenMedia
