import { type CallLanguage, type ObjectiveReading, secretIn } from '@parley/contract'
import { callsRoutes } from '@parley/contract/page'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { request } from '../../../lib/server/http.ts'
import { keyOf } from '../../../lib/server/queries.ts'
import { useSettled } from '../../../lib/useSettled.ts'

const TYPING_MS = 600

export interface ToRead {
  readonly purpose: string
  readonly objectives: readonly string[]
  readonly language: CallLanguage
}

/**
 * What each objective is understood to allow, by its text. Empty while it is not known: the call can be placed all the
 * same.
 */
export function useReading({ purpose, objectives, language }: ToRead): ReadonlyMap<string, ObjectiveReading> {
  // A string, which is the same as long as nothing has changed.
  const text = useSettled(JSON.stringify({ purpose: purpose.trim(), objectives, language }), TYPING_MS)
  const asked = JSON.parse(text) as Required<ToRead> & { objectives: string[] }
  const { data } = useQuery({
    queryKey: keyOf(callsRoutes.reading, text),
    queryFn: async ({ signal }) => {
      const { objectives: read } = await request(callsRoutes.reading, { body: asked, signal })
      return new Map(read.flatMap((each, place) => entryOf(asked.objectives[place], each)))
    },
    // A card number is sent nowhere; placing the call says why.
    enabled: asked.objectives.length > 0 && secretIn(asked) === undefined,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    retry: false,
  })
  return data ?? NOTHING_READ
}

const NOTHING_READ: ReadonlyMap<string, ObjectiveReading> = new Map()

function entryOf(objective: string | undefined, reading: ObjectiveReading): [string, ObjectiveReading][] {
  return objective === undefined ? [] : [[objective, reading]]
}
