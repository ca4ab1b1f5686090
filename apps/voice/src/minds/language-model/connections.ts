import { Agent, fetch } from 'undici'

/** Node's own fetch lets go of a connection after 4 s, and turns are further apart: each would connect anew. */
const agent = new Agent({ keepAliveTimeout: 60_000, keepAliveMaxTimeout: 300_000 })

/** fetch() over connections that stay open between the turns of a call, and across calls. */
export const keptFetch: typeof globalThis.fetch = (input, init) => asGlobal(fetch, input, init)

/** Node's own fetch is an earlier version of the same code: its types differ in details that requests do not use. */
function asGlobal(
  ours: typeof fetch,
  input: Parameters<typeof globalThis.fetch>[0],
  init: Parameters<typeof globalThis.fetch>[1],
): Promise<Response> {
  const options = { ...init, dispatcher: agent } as Parameters<typeof fetch>[1]
  return ours(input instanceof Request ? input.url : input, options) as Promise<object> as Promise<Response>
}
