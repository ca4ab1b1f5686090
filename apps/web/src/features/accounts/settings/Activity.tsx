import { securityRoutes } from '@parley/contract/page'
import { useInfiniteQuery } from '@tanstack/react-query'
import { fetchMore } from '../../../lib/server/fetchMore.ts'
import { readGrowing } from '../../../lib/server/queries.ts'
import { saidByServer, useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { Loaded, Row, Rows, Section } from './Section.tsx'

/** Rows at first; more are loaded on request. */
const EVENTS_SHOWN = 6

export function Activity({ userId }: { readonly userId: string }) {
  const { activity } = useWords().settings
  const loaded = useInfiniteQuery(
    readGrowing(securityRoutes.securityActivity, { params: { id: userId }, query: { limit: EVENTS_SHOWN } }),
  )
  return (
    <Section title={activity.title} lead={activity.lead}>
      <Loaded query={loaded} failed={activity.failed}>
        {({ items }) => (
          <Rows label={activity.title} items={items} empty={activity.none}>
            {({ id, kind, detail, device, ipAddress, at }) => (
              <Row
                key={id}
                title={
                  detail
                    ? `${activity.kinds[kind]}: ${saidByServer(detail, (server) => server.activity(detail))}`
                    : activity.kinds[kind]
                }
                detail={[device && saidByServer(device, (server) => server.device(device)), ipAddress]
                  .filter(Boolean)
                  .join(' · ')}
              >
                <TimeAgo at={at} className="text-sm text-muted" />
              </Row>
            )}
          </Rows>
        )}
      </Loaded>
      {loaded.hasNextPage && (
        <div>
          <Button variant="quiet" pending={loaded.isFetchingNextPage} onClick={() => void fetchMore(loaded)}>
            {activity.more}
          </Button>
        </div>
      )}
    </Section>
  )
}
