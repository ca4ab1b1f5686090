/** As `wss:` where the address is https, else `ws:`. */
export function socketAt(baseUrl: string, path: string): string {
  return baseUrl.replace(/^http/, 'ws') + path
}
