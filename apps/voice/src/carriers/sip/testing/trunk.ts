import { readTrunks, type TrunkFile } from '../trunks.ts'

/** A trunk file of a test; every field of a trunk can be replaced. */
export function trunkFile(
  trunks: readonly Readonly<Record<string, unknown>>[],
  listen: Readonly<Record<string, unknown>> = { address: '127.0.0.1', port: 0 },
  more: Readonly<Record<string, unknown>> = {},
): TrunkFile {
  const all = trunks.map((trunk, at) => ({ name: `trunk-${at + 1}`, callsPerSecond: 200, health: false, ...trunk }))
  return readTrunks(JSON.stringify({ listen, trunks: all, ...more }))
}
