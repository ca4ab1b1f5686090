import { DATA_EXPORT_DAYS, pathOf, type DataExport } from '@parley/contract'
import { confirmationsRoutes, securityRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { bytes, exactDate, exactTime } from '../../../lib/format/format.ts'
import { request } from '../../../lib/server/http.ts'
import { apiUrl, platform } from '../../../lib/platform/index.ts'
import { read } from '../../../lib/server/queries.ts'
import { askForProof } from '../../../lib/server/stepUp.ts'
import { useWords } from '../../../words/index.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { Loaded, Row, Rows, Section } from './Section.tsx'
import { useChange } from './useChange.ts'

const ASK_AGAIN_MS = 1000

const isInTheMaking = ({ status }: DataExport) => status === 'waiting' || status === 'running'

/** Data exports: made in the background, with a link by mail. */
export function DataExports({ userId }: { readonly userId: string }) {
  const { exports: words } = useWords().settings
  const loaded = useQuery({
    ...read(securityRoutes.exports, { params: { id: userId } }),
    refetchInterval: ({ state }) => (state.data?.some(isInTheMaking) ? ASK_AGAIN_MS : false),
  })
  const asking = useChange({
    change: () => request(securityRoutes.requestExport, { params: { id: userId } }),
    affects: securityRoutes.exports,
    done: words.requested,
    failed: words.requestFailed,
  })
  const isBusy = asking.isPending || (loaded.data?.some(isInTheMaking) ?? false)
  return (
    <Section title={words.title} lead={words.lead(DATA_EXPORT_DAYS)}>
      <Loaded query={loaded} failed={words.failed}>
        {(list) => (
          <Rows label={words.title} items={list} empty={words.none}>
            {(each) => <ExportRow key={each.id} userId={userId} dataExport={each} />}
          </Rows>
        )}
      </Loaded>
      <div>
        <Button variant="secondary" pending={isBusy} onClick={() => asking.mutate()}>
          {isBusy ? words.making : words.request}
        </Button>
      </div>
    </Section>
  )
}

/** The browser downloads the file itself and could not ask for a step-up, so that is done first. */
function downloadProven(event: MouseEvent<HTMLAnchorElement>, path: string): void {
  event.preventDefault()
  void isProven().then((proven) => (proven ? platform().download(path) : undefined))
}

async function isProven(): Promise<boolean> {
  const { until } = await request(confirmationsRoutes.readStepUp, {})
  return until !== null || askForProof()
}

function ExportRow({ userId, dataExport }: { readonly userId: string; readonly dataExport: DataExport }) {
  const { exports: words } = useWords().settings
  const { id, status, progress, bytes: size, createdAt, expiresAt } = dataExport
  const state = status === 'ready' || status === 'failed' ? words.statuses[status] : words.percent(progress)
  const path = pathOf(securityRoutes.downloadExport, { id: userId, exportId: id })
  const until = expiresAt ? ` · ${words.until(exactDate(expiresAt))}` : ''
  return (
    <Row title={words.asked(exactTime(createdAt))} detail={size === null ? state : `${state} · ${bytes(size)}${until}`}>
      {isInTheMaking(dataExport) && <Progress label={words.making} value={progress} className="max-w-24 sm:max-w-48" />}
      {status === 'ready' && (
        <ButtonLink size="small" variant="secondary">
          <a href={apiUrl(path)} download onClick={(event) => downloadProven(event, path)}>
            {words.download}
          </a>
        </ButtonLink>
      )}
    </Row>
  )
}
