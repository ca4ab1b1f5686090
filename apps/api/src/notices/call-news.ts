import type { CallNews } from '@parley/contract'
import { outcomesOf, toCall } from '../calls/index.ts'

/** A call in the shape of webhooks, with the outcomes so far. */
export function callNews(row: Parameters<typeof toCall>[0]): CallNews {
  return { ...toCall(row), outcomes: outcomesOf(row) }
}
