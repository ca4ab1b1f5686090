import type { BatchImport, ColumnMapping } from '@parley/contract'
import { batchesRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { request, sentenceOf } from '../../lib/server/http.ts'
import { keyOf } from '../../lib/server/queries.ts'
import { useWords } from '../../words/index.ts'
import { Field } from '../../ui/form/Field.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { importQuery } from './api.ts'

/** No column can have this name, because the server trims names. */
const NONE = ' '

/** The columns of number and name: detected, and can be changed. */
export function Columns({ list }: { readonly list: BatchImport }) {
  const { batches, common } = useWords()
  const { file: words } = batches
  const client = useQueryClient()
  const mapping = useMutation({
    mutationFn: async (columns: ColumnMapping) =>
      request(batchesRoutes.mapImport, { params: { id: list.batchId }, body: columns }),
    onSuccess: async (result) => {
      client.setQueryData(importQuery(list.batchId).queryKey, result)
      await Promise.all(
        [batchesRoutes.get, batchesRoutes.missing].map((route) => client.invalidateQueries({ queryKey: keyOf(route) })),
      )
    },
    onError: (error) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, words.mapFailed) }),
  })
  const shown = mapping.isPending ? mapping.variables : list.mapping
  const options = [
    { value: NONE, label: words.noColumn },
    ...list.columns.map((column) => ({ value: column, label: column })),
  ]
  const choose = (change: Partial<ColumnMapping>) => mapping.mutate({ ...list.mapping, ...change })
  const columnOf = (value: string) => (value === NONE ? null : value)
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2" aria-busy={mapping.isPending}>
      <Field label={words.phoneColumn}>
        <Select
          value={shown.phone ?? NONE}
          onValueChange={(value) => choose({ phone: columnOf(value) })}
          options={options}
        />
      </Field>
      <Field label={words.nameColumn}>
        <Select
          value={shown.name ?? NONE}
          onValueChange={(value) => choose({ name: columnOf(value) })}
          options={options}
        />
      </Field>
    </div>
  )
}
