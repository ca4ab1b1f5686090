import { pathOf, type CallDetails, type Turn } from '@parley/contract'
import { callsRoutes } from '@parley/contract/page'
import { Download } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { apiUrl } from '../../../lib/platform/index.ts'
import { useMedia } from '../../../lib/platform/useMedia.ts'
import { useWords } from '../../../words/index.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Transcript, type Jump } from '../Transcript.tsx'
import { turnsOf } from '../vault/privateNames.ts'

interface RecordedTranscriptProps {
  readonly call: CallDetails
  /** The quoted turn to show. */
  readonly jump?: Jump | undefined
}

/**
 * The transcript with a player for the recording, if there is one: playing marks the turn, and a turn seeks the
 * player.
 */
export function RecordedTranscript({ call, jump }: RecordedTranscriptProps) {
  const { sound } = useWords().calls
  const player = useRef<HTMLAudioElement>(null)
  const [current, setCurrent] = useState<number>()
  const turns = turnsOf(call)
  useEffect(() => {
    const quoted = turns.find(({ index }) => index === jump?.turn)
    if (quoted && player.current) player.current.currentTime = quoted.startMs / 1000
    // Only a new request seeks the recording, not a refetched turn.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [jump])
  if (!call.hasRecording) return <Transcript turns={turns} jump={jump} />
  const path = pathOf(callsRoutes.recording, { id: call.id })
  const follow = () => setCurrent(turnAt(turns, (player.current?.currentTime ?? 0) * 1000)?.index)
  const seek = ({ startMs }: Turn) => {
    if (!player.current) return
    player.current.currentTime = startMs / 1000
    void player.current.play()
  }
  return (
    <>
      <div className="sticky top-16 z-9 mb-4 flex items-center gap-3 border-b border-line bg-surface pb-3">
        <Player path={path} player={player} onMoved={follow} />
        <ButtonLink variant="secondary" size="icon">
          <a
            href={apiUrl(`${path}?download=1`)}
            download
            aria-label={sound.downloadRecording}
            title={sound.downloadRecording}
          >
            <Download className="size-4" aria-hidden="true" />
          </a>
        </ButtonLink>
      </div>
      <Transcript turns={turns} jump={jump} playing={current} onSeek={seek} />
    </>
  )
}

interface PlayerProps {
  readonly path: string
  readonly player: RefObject<HTMLAudioElement | null>
  readonly onMoved: () => void
}

function Player({ path, player, onMoved }: PlayerProps) {
  const { sound } = useWords().calls
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- the transcript beside it is its caption
    <audio
      ref={player}
      controls
      preload="metadata"
      crossOrigin="use-credentials"
      src={useMedia(path)}
      aria-label={sound.recording}
      onTimeUpdate={onMoved}
      onSeeked={onMoved}
      className="h-11 min-w-0 flex-1"
    />
  )
}

/** The turn spoken at this time; where both speak, the one that started last. */
export function turnAt(turns: readonly Turn[], atMs: number): Turn | undefined {
  return turns.findLast(({ startMs, endMs }) => startMs <= atMs && atMs < (endMs ?? Infinity))
}
