import { describe, expect, it } from 'vitest'
import { createScriptedMind } from '@parley/offline-mind'
import { ORDERS, playWith } from '@parley/offline-mind/samples'
import { guardedBy } from './testing.ts'

describe('the scripted mind behind the guard', () => {
  it.each(ORDERS)('$title: "$objectives" says and tells the same', async (row) => {
    const alone = await playWith(createScriptedMind(), row, row.utterances)
    const guarded = await playWith(guardedBy(createScriptedMind()), row, row.utterances)
    expect(guarded.said).toEqual(alone.said)
    const bare = (outcomes: readonly object[]) => outcomes.map((outcome) => ({ ...outcome, value: undefined }))
    expect(bare(guarded.outcomes)).toEqual(bare(alone.outcomes))
    expect(guarded.summary).toEqual(alone.summary)
  })
})
