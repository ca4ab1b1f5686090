import type { CallNews } from '@parley/contract'
import { outcomesOf, toCall } from '../calls/index.ts'

/** A call as a webhook hears of it: with what came of each objective so far. */
export function callNews(row: Parameters<typeof toCall>[0]): CallNews {
  return { ...toCall(row), outcomes: outcomesOf(row) }
}
