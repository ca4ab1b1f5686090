import { BRAND, CALL_MINUTES_DEFAULT, CALL_MINUTES_MAX, NewCall } from '@parley/contract'
import { type CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { type Parley, ParleyError } from '@parley/client'
import { z } from 'zod'
import { version } from '../platform/version.ts'

const CallId = z.object({ callId: z.string().min(1).max(64).describe('The id that place_call or list_calls gave') })
const Order = z.object({
  phone: NewCall.shape.callee.describe('The number to call, with country code: +1 415 555 0100'),
  purpose: NewCall.shape.purpose.describe('What the call is for, in a sentence; the agent says it'),
  objectives: z.array(z.string().min(1).max(300)).max(20).default([]).describe('What is to be found out or agreed, one thing each'),
  context: z.record(z.string(), z.unknown()).default({}).describe('Facts the agent may use'),
  maxMinutes: z
    .int()
    .min(1)
    .max(CALL_MINUTES_MAX)
    .default(CALL_MINUTES_DEFAULT)
    .describe('It hangs up then. So many credits are held while it runs'),
  language: NewCall.shape.language.describe('Of the call; auto: that of the number called'),
  confirmOutsideHours: z.boolean().default(false).describe('Call although it is early or late there; only when the person has said so'),
})

/** What an assistant can do: have a call made, follow it, end it, and know what is left to spend. */
export function createTools(parley: Parley, userId: string): McpServer {
  const server = new McpServer({ name: BRAND.product.toLowerCase(), version })
  server.registerTool(
    'place_call',
    {
      title: 'Have a phone call made',
      description:
        'An AI agent phones a number and works through the objectives. COSTS CREDITS: one for each connected minute begun; a call that nobody answers ' +
        'costs nothing. It answers at once with the call under way; ask get_call until completedAt is set, a few minutes later.',
      inputSchema: Order,
      annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    ({ phone, maxMinutes, ...order }) =>
      told(() => parley.calls.place({ body: { ...order, callee: phone, maxDurationMinutes: maxMinutes } })),
  )
  server.registerTool(
    'get_call',
    {
      title: 'See how a call stands',
      description: 'Status, what was said, outcome of each objective, summary and credits charged. Free.',
      inputSchema: CallId,
      annotations: { readOnlyHint: true },
    },
    ({ callId }) => told(() => parley.calls.get({ params: { id: callId } })),
  )
  server.registerTool(
    'list_calls',
    {
      title: 'List calls',
      description: 'Calls of the account, newest first. Free.',
      inputSchema: z.object({
        limit: z.int().min(1).max(50).default(10),
        status: z.enum(['all', 'completed', 'failed', 'in_progress']).default('all'),
        words: z.string().max(200).optional().describe('In number, purpose, transcript or summary'),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ limit, status, words }) =>
      told(async () => {
        const query = { limit, status, ...(words === undefined ? {} : { q: words }) }
        const { items, total } = await parley.reports.calls({ params: { id: userId }, query })
        return { total, calls: items }
      }),
  )
  server.registerTool(
    'stop_call',
    {
      title: 'End a call',
      description: 'Hangs up at once. Free; the minutes that were talked are charged.',
      inputSchema: CallId,
      annotations: { destructiveHint: true, idempotentHint: true },
    },
    ({ callId }) => told(() => parley.calls.change({ params: { id: callId }, body: { action: 'stop' } })),
  )
  server.registerTool(
    'get_balance',
    {
      title: 'See what can be spent',
      description: 'Credits that can be spent on calls now; one is good for a minute. Free.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true },
    },
    () => told(async () => ({ creditBalance: (await parley.account.currentUser()).creditBalance })),
  )
  return server
}

/** The answer as JSON, or the refusal in its own words: the assistant can tell the person why. */
async function told(work: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await work()) }] }
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error
    return { isError: true, content: [{ type: 'text', text: JSON.stringify({ code: error.code, message: error.message }) }] }
  }
}
