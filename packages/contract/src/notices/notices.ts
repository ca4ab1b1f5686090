/** The live channel: /ws?userId={id}, session cookie and Origin checked, closed at logout. */
export const LIVE_PATH = '/ws'

/** Close codes of /ws; a browser shows the reason. */
export const LIVE_CLOSE = { unauthenticated: 4401, notYours: 4404, goingAway: 1001 } as const

export const WEBHOOK_EVENTS = [
  'call.started',
  'call.completed',
  'call.failed',
  'batch.completed',
  'credits.low',
  'contact.opted_out',
] as const
