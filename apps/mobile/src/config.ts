/** The hosted backend; the only environment variable of a native build. */
export function readApiBase(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const { origin, protocol } = new URL(environment['PARLEY_API_BASE'] ?? 'https://parley.example')
  if (protocol !== 'https:')
    throw new Error('PARLEY_API_BASE must be an https address: the shells refuse anything else.')
  return origin
}
