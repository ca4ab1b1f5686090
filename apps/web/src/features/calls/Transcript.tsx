import type { Turn } from '@parley/contract'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { classes } from '../../lib/classes.ts'
import { clock } from '../../lib/format/format.ts'
import { useWords } from '../../words/index.ts'
import { useReveal } from './live/reveal.ts'

/** A request to show a turn; a new object each time, even for the same turn. */
export interface Jump {
  readonly turn: number
}

interface TranscriptProps {
  readonly turns: readonly Turn[]
  /** Still being spoken: words appear one by one, and complete turns are read out. */
  readonly live?: boolean
  /** The quoted turn to show and mark. */
  readonly jump?: Jump | undefined
  /** The turn at the recording's position. */
  readonly playing?: number | undefined
  /** Plays the recording from a turn. */
  readonly onSeek?: (turn: Turn) => void
  /** Content after a turn. */
  readonly after?: (index: number) => ReactNode
}

/** Two sides: the agent at the left, the callee at the right. */
export function Transcript({ turns, live = false, jump, playing, onSeek, after }: TranscriptProps) {
  const { calls } = useWords()
  // Turns from before this view opened are shown at once.
  const [earlier] = useState(() => new Set(turns.map(({ index }) => index)))
  return (
    <div {...(live && { role: 'log', 'aria-live': 'polite' })} aria-label={live ? calls.live.transcript : undefined}>
      <ol className="grid gap-4">
        {turns.map((turn, place) => (
          <TurnLine
            key={turn.index}
            turn={turn}
            goesOn={turns[place - 1]?.speaker === turn.speaker}
            live={live}
            fresh={live && !earlier.has(turn.index)}
            jump={turn.index === jump?.turn ? jump : undefined}
            isPlaying={turn.index === playing}
            onSeek={onSeek}
          >
            {after?.(turn.index)}
          </TurnLine>
        ))}
      </ol>
    </div>
  )
}

interface TurnLineProps {
  readonly turn: Turn
  /** The same side spoke before, so its name is hidden visually. */
  readonly goesOn: boolean
  readonly live: boolean
  readonly fresh: boolean
  /** This is the requested turn. */
  readonly jump: Jump | undefined
  readonly isPlaying: boolean
  readonly onSeek: ((turn: Turn) => void) | undefined
  readonly children: ReactNode
}

function TurnLine({ turn, goesOn, live, fresh, jump, isPlaying, onSeek, children }: TurnLineProps) {
  const { calls } = useWords()
  const element = useRef<HTMLLIElement>(null)
  const text = useReveal(turn.text, fresh)
  const growing = live && (turn.endMs === null || text !== turn.text)
  const isAgent = turn.speaker === 'agent'
  useEffect(() => {
    if (jump) element.current?.scrollIntoView({ block: 'center' })
  }, [jump])
  useEffect(() => {
    if (isPlaying) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isPlaying])
  return (
    // A growing turn is hidden from screen readers, which read it once complete.
    <li ref={element} aria-hidden={growing || undefined} className={classes('grid gap-4', goesOn && '-mt-2')}>
      <div
        className={classes('max-w-[88%] min-w-0 sm:max-w-[76%]', isAgent ? 'justify-self-start' : 'justify-self-end')}
      >
        <p
          className={classes(
            goesOn ? 'sr-only' : 'mb-1 text-sm font-medium',
            isAgent ? 'text-brand' : 'text-right text-muted',
          )}
        >
          {isAgent ? calls.agent : calls.callee}
          <span className="sr-only">: </span>
        </p>
        <p
          className={classes(
            'rounded-base wrap-anywhere transition-colors',
            isAgent ? 'border border-transparent' : 'border border-line px-3.5 py-2',
            !isAgent && !isPlaying && 'bg-paper',
            isPlaying && 'bg-mint',
            jump && 'bg-mint outline-2 outline-offset-2 outline-brand',
          )}
        >
          {onSeek ? <PlayFrom turn={turn} onSeek={onSeek} /> : text}
          {growing && <span className="animate-breathe text-live"> ▌</span>}
        </p>
      </div>
      {children}
    </li>
  )
}

/** A turn seeks the recording to its start. */
function PlayFrom({ turn, onSeek }: { readonly turn: Turn; readonly onSeek: (turn: Turn) => void }) {
  const { sound } = useWords().calls
  const at = clock(turn.startMs / 1000)
  return (
    <button type="button" title={sound.playFrom(at)} onClick={() => onSeek(turn)} className="rounded-sm text-left">
      {turn.text} <span className="tabular text-sm text-brand underline underline-offset-3">{at}</span>
    </button>
  )
}
