/**
 * The origin of the hosted backend; the only environment variable of a native build.
 *
 * @throws Error with one sentence for the operator, without it or when it is no https address
 */
export function readApiBase(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const address = environment['PARLEY_API_BASE'] ?? ''
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'https:')
    throw new Error('Set PARLEY_API_BASE to the https address of your hosted backend: PARLEY_API_BASE=https://….')
  return url.origin
}

/** The Chromium that draws the icons: `npm run mobile:pictures` finds one. */
export function readChromium(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const path = environment['CHROMIUM_PATH']
  if (!path) throw new Error('Install Chromium, or name one in CHROMIUM_PATH.')
  return path
}
