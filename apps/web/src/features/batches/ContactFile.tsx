import { batchName, BATCH_PREVIEW_ROWS, type BatchImport } from '@parley/contract'
import { batchesRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sentenceOf } from '../../lib/server/http.ts'
import { upload } from '../../lib/server/upload.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Card, CardTitle } from '../../ui/Card.tsx'
import { FileButton } from '../../ui/form/FileButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { Table } from '../../ui/Table.tsx'
import { count } from '../../lib/format/format.ts'
import { importQuery } from './api.ts'
import { Columns } from './Columns.tsx'
import { DroppedRows } from './DroppedRows.tsx'

interface ContactFileProps {
  /** The import result, once there is a file. */
  readonly list: BatchImport | undefined
  readonly onImported: (batchId: string) => void
}

/** The contact file: uploaded unchanged, parsed by the server, shown as parsed. */
export function ContactFile({ list, onImported }: ContactFileProps) {
  const { file: words } = useWords().batches
  const client = useQueryClient()
  const [progress, setProgress] = useState(0)
  const [stopper, setStopper] = useState<AbortController>()
  const importing = useMutation({
    mutationFn: async (file: File) => {
      const aborter = new AbortController()
      setProgress(0)
      setStopper(aborter)
      const query = { fileName: file.name, name: batchName(new Date()) }
      return upload({ route: batchesRoutes.import, query, file, signal: aborter.signal, onProgress: setProgress })
    },
    onSuccess: (result) => {
      client.setQueryData(importQuery(result.batchId).queryKey, result)
      onImported(result.batchId)
    },
  })
  const isStopped = importing.error?.name === 'AbortError'
  return (
    <Card aria-labelledby="batch-file">
      <CardTitle id="batch-file" title={words.title} lead={words.lead} />
      <div className="grid grid-cols-1 gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <FileButton
            accept=".csv,.json"
            label={words.chooseLabel}
            variant={list ? 'secondary' : 'primary'}
            pending={importing.isPending}
            onFile={(file) => importing.mutate(file)}
          >
            {list ? words.other : words.choose}
          </FileButton>
          {list && !importing.isPending && <span className="min-w-0 truncate text-sm text-muted">{list.fileName}</span>}
          {importing.isPending && (
            <Button variant="quiet" onClick={() => stopper?.abort()}>
              {words.stop}
            </Button>
          )}
        </div>
        {importing.isPending && (
          <div>
            <output className="mb-2 block text-sm text-muted">
              {progress < 1 ? words.uploading(importing.variables.name) : words.reading}
            </output>
            <Progress label={words.uploading(importing.variables.name)} value={progress < 1 ? 100 * progress : null} />
          </div>
        )}
        {importing.error && !isStopped && <Notice tone="error">{sentenceOf(importing.error, words.unreadable)}</Notice>}
        {list && (
          <>
            <p className="text-lg font-semibold">{words.contacts(list.contacts, count(list.contacts))}</p>
            <Columns list={list} />
            <Preview list={list} />
            {list.dropped > 0 && <DroppedRows list={list} />}
          </>
        )}
      </div>
    </Card>
  )
}

function Preview({ list }: { readonly list: BatchImport }) {
  const { file: words } = useWords().batches
  if (list.preview.length === 0) return null
  return (
    <div>
      <Table
        look="card"
        caption={words.preview}
        isFixed
        rows={list.preview}
        rowKey={({ phone }) => phone}
        columns={[
          { name: words.phone, cell: ({ phone }) => phone, cellClassName: 'truncate' },
          { name: words.name, cell: ({ name }) => name, cellClassName: 'truncate' },
        ]}
      />
      {list.contacts > BATCH_PREVIEW_ROWS && (
        <p className="tabular border-t border-line pt-2 text-sm text-muted">
          {words.more(count(list.contacts - BATCH_PREVIEW_ROWS))}
        </p>
      )}
    </div>
  )
}
