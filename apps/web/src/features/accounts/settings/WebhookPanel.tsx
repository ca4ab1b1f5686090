import type { WebhookDelivery } from '@parley/contract'
import { noticesRoutes, securityRoutes } from '@parley/contract/page'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { request, sentenceOf } from '../../../lib/server/http.ts'
import { keyOf, read, readPage } from '../../../lib/server/queries.ts'
import { saidByServer, useWords } from '../../../words/index.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { CopyField } from '../../../ui/form/CopyField.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { Loaded, Row, Rows } from './Section.tsx'
import { useChange } from './useChange.ts'

/** Deliveries shown. */
const DELIVERIES_SHOWN = 10
const ASK_AGAIN_MS = 3000
const TONES = { waiting: 'live', delivered: 'good', failed: 'bad' } as const

/** For a saved URL: test, signing secret and recent deliveries. */
export function WebhookPanel({ userId, url }: { readonly userId: string; readonly url: string }) {
  const { webhook: words } = useWords().settings
  const client = useQueryClient()
  const params = { id: userId }
  const webhook = useQuery(read(noticesRoutes.webhook, { params }))
  const deliveries = useQuery({
    ...readPage(noticesRoutes.deliveries, { params, query: { limit: DELIVERIES_SHOWN } }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status }) => status === 'waiting') ? ASK_AGAIN_MS : false,
  })
  const testing = useMutation({
    mutationFn: () => request(securityRoutes.testWebhook, { params }),
    onSettled: () => client.invalidateQueries({ queryKey: keyOf(noticesRoutes.deliveries) }),
  })
  return (
    <div className="grid gap-5 border-t border-line pt-5">
      <div className="grid gap-3">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant="secondary" pending={testing.isPending} onClick={() => testing.mutate()}>
            {words.test}
          </Button>
          <p className="min-w-0 text-sm wrap-anywhere text-muted">{words.testTo(url)}</p>
        </div>
        {testing.data && <TestResult {...testing.data} />}
        {testing.error && <Notice tone="error">{sentenceOf(testing.error, words.testFailed)}</Notice>}
      </div>
      {webhook.data?.secret && <CopyField label={words.secret} hint={words.secretHint} value={webhook.data.secret} />}
      <div>
        <h3 className="mb-3 font-semibold">{words.deliveries}</h3>
        <Loaded query={deliveries} failed={words.failed}>
          {({ items }) => (
            <Rows label={words.deliveries} items={items} empty={words.none}>
              {(delivery) => <DeliveryRow key={delivery.id} userId={userId} delivery={delivery} />}
            </Rows>
          )}
        </Loaded>
      </div>
    </div>
  )
}

function TestResult({ delivered, message }: { readonly delivered: boolean; readonly message: string }) {
  const text = saidByServer(message, ({ webhookTest }) => (delivered ? webhookTest.delivered : webhookTest.failed))
  return <Notice tone={delivered ? 'success' : 'error'}>{text}</Notice>
}

function DeliveryRow({ userId, delivery }: { readonly userId: string; readonly delivery: WebhookDelivery }) {
  const { webhook: words } = useWords().settings
  const { id, type, status, attempts, responseStatus, error, createdAt } = delivery
  const replaying = useChange({
    change: () => request(noticesRoutes.replay, { params: { id: userId, deliveryId: id } }),
    affects: noticesRoutes.deliveries,
    done: words.replayed,
    failed: words.replayFailed,
  })
  const outcome =
    (error && saidByServer(error, (server) => server.deliveryFailed)) ??
    (responseStatus === null ? undefined : words.answered(responseStatus))
  return (
    <Row
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {type}
          <Badge tone={TONES[status]}>{words.statuses[status]}</Badge>
        </span>
      }
      detail={
        <>
          <TimeAgo at={createdAt} />
          {` · ${words.attempts(attempts)}`}
          {outcome && ` · ${outcome}`}
        </>
      }
    >
      {status === 'failed' && (
        <Button
          variant="quiet"
          size="small"
          pending={replaying.isPending}
          aria-label={words.replayOne(type)}
          onClick={() => replaying.mutate()}
        >
          {words.replay}
        </Button>
      )}
    </Row>
  )
}
