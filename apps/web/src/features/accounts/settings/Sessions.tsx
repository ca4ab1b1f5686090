import type { Session } from '@parley/contract'
import { securityRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { exactDate } from '../../../lib/format/format.ts'
import { request } from '../../../lib/server/http.ts'
import { read } from '../../../lib/server/queries.ts'
import { saidByServer, useWords } from '../../../words/index.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Loaded, Row, Rows, Section } from './Section.tsx'
import { useChange } from './useChange.ts'

/** The active sessions; all but the current one can be ended here. */
export function Sessions({ userId }: { readonly userId: string }) {
  const { sessions } = useWords().settings
  const loaded = useQuery(read(securityRoutes.sessions, { params: { id: userId } }))
  const endingOthers = useChange({
    change: () => request(securityRoutes.endOtherSessions, { params: { id: userId } }),
    affects: securityRoutes.sessions,
    done: sessions.othersEnded,
    failed: sessions.endFailed,
  })
  return (
    <Section title={sessions.title} lead={sessions.lead}>
      <Loaded query={loaded} failed={sessions.failed}>
        {(list) => (
          <>
            <Rows label={sessions.title} items={list} empty={sessions.none}>
              {(session) => <SessionRow key={session.id} userId={userId} session={session} />}
            </Rows>
            {list.length > 1 && (
              <div>
                <Button variant="secondary" pending={endingOthers.isPending} onClick={() => endingOthers.mutate()}>
                  {sessions.endOthers}
                </Button>
              </div>
            )}
          </>
        )}
      </Loaded>
    </Section>
  )
}

function SessionRow({ userId, session }: { readonly userId: string; readonly session: Session }) {
  const { sessions } = useWords().settings
  const ending = useChange({
    change: () => request(securityRoutes.endSession, { params: { id: userId, sessionId: session.id } }),
    affects: securityRoutes.sessions,
    done: sessions.ended,
    failed: sessions.endFailed,
  })
  const device = saidByServer(session.device, (server) => server.device(session.device))
  const since = sessions.since(exactDate(session.createdAt), exactDate(session.lastUsedAt))
  return (
    <Row title={device} detail={session.ipAddress ? `${session.ipAddress} · ${since}` : since}>
      {session.current ? (
        <Badge tone="good">{sessions.current}</Badge>
      ) : (
        <Button
          variant="quiet"
          size="small"
          pending={ending.isPending}
          aria-label={sessions.endOne(device)}
          onClick={() => ending.mutate()}
        >
          {sessions.end}
        </Button>
      )}
    </Row>
  )
}
