import { Check } from 'lucide-react'
import { useMemo } from 'react'
import { classes } from '../../lib/classes.ts'
import { clock } from '../../lib/format/clock.ts'
import { useFrontWords } from '../../words/front.ts'
import { useSpokenWords } from './useSpokenWords.ts'

/** Not spoken yet; without scripts or motion it is shown at once. */
const UNSPOKEN = 'opacity-0 noscript:opacity-100 motion-reduce:opacity-100'

type ExampleCall = ReturnType<typeof useFrontWords>['exampleCall']

function turnsOf({ agent, callee, turns }: ExampleCall) {
  let wordsBefore = 0
  return turns.map(({ isCallee, text }, turn) => {
    const words = text.split(' ').map((word, place) => ({ word, place }))
    const speaker = turns[turn - 1]?.isCallee === isCallee ? undefined : isCallee ? callee : agent
    const known = { isCallee, speaker, text, words, wordsBefore }
    wordsBefore += words.length
    return known
  })
}

/**
 * The transcript of an example call. Every word has its place from the start and is only revealed, so nothing moves.
 */
export function Transcript({ isPaused }: { readonly isPaused: boolean }) {
  const { exampleCall: call } = useFrontWords()
  const turns = useMemo(() => turnsOf(call), [call])
  const wordsInTurn = useMemo(() => turns.map(({ words }) => words.length), [turns])
  const { spoken, share, isOver } = useSpokenWords(wordsInTurn, isPaused)
  return (
    <figure aria-label={call.label} className="overflow-hidden rounded-base border border-line bg-surface shadow-soft">
      <figcaption className="flex items-start justify-between gap-4 border-b border-line px-5 py-4">
        <span>
          <span className="block font-semibold">{call.who}</span>
          <span className="block text-sm text-muted">{call.purpose}</span>
        </span>
        <span
          className={classes(
            'tabular flex items-center gap-2 text-sm font-medium whitespace-nowrap',
            isOver ? 'text-muted' : 'text-live',
          )}
        >
          <span className={classes('size-2 animate-breathe rounded-full bg-live-fill', isOver && 'invisible')} />
          <span className="sr-only">{isOver ? call.ended : call.onTheLine}</span>
          {clock(call.seconds * share)}
        </span>
      </figcaption>
      <ol className="grid gap-3 px-5 py-5">
        {turns.map(({ isCallee, speaker, text, words, wordsBefore }) => (
          <TurnLine key={text} speaker={speaker} isCallee={isCallee} words={words} spoken={spoken - wordsBefore} />
        ))}
      </ol>
      <div className={classes('flex gap-3 bg-mint px-5 py-4', !isOver && UNSPOKEN)}>
        <span className="mt-0.5 grid size-6 shrink-0 place-items-center rounded-full bg-brand text-on-brand">
          <Check className="size-4" strokeWidth={3} aria-hidden="true" />
        </span>
        <div className="min-w-0 flex-1">
          <p className="font-semibold">
            <span className="sr-only">{call.met}: </span>
            {call.outcome}
          </p>
          <p className="mt-0.5 flex flex-wrap justify-between gap-x-4 text-sm text-muted">
            <q className="before:content-[''] after:content-['']">{call.quote}</q>
            <span className="tabular">{call.facts}</span>
          </p>
        </div>
      </div>
    </figure>
  )
}

interface TurnLineProps {
  /** Shown when the speaker changes. */
  readonly speaker: string | undefined
  readonly isCallee: boolean
  readonly words: readonly { readonly word: string; readonly place: number }[]
  /** How many of its words are shown; below 1 the turn has not started. */
  readonly spoken: number
}

function TurnLine({ speaker, isCallee, words, spoken }: TurnLineProps) {
  return (
    <li
      className={classes('max-w-[88%] text-balance', isCallee && 'justify-self-end text-right', spoken < 1 && UNSPOKEN)}
    >
      {speaker && (
        <span className={classes('block text-sm font-medium', isCallee ? 'text-muted' : 'text-brand')}>{speaker}</span>
      )}
      <span className={classes('block', isCallee && 'text-muted')}>
        {words.map(({ word, place }) => (
          <span key={place} className={place < spoken ? undefined : UNSPOKEN}>
            {`${word} `}
          </span>
        ))}
      </span>
    </li>
  )
}
