import type { CallDetails, Mandate } from '@parley/contract'
import type { ReactNode } from 'react'
import { clockTime, count, credits, duration, exactTime } from '../../../lib/format/format.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { useWords } from '../../../words/index.ts'
import { mandateText } from '../mandate/mandateText.ts'
import { PhoneNumber } from '../PhoneNumber.tsx'
import { endingText, phaseText } from '../status.ts'
import { StatusBadge } from '../StatusBadge.tsx'

/** The call's settings and its phases. */
export function CallFacts({ call }: { readonly call: CallDetails }) {
  const { details, tones, languages } = useWords().calls
  const hasContext = Object.keys(call.context).length > 0
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      <Fact name={details.callee}>
        <PhoneNumber phone={call.callee} />
      </Fact>
      <Fact name={details.status}>
        <StatusBadge call={call} />
      </Fact>
      <Fact name={details.purpose} wide>
        {call.purpose}
      </Fact>
      {call.objectives.length > 0 && (
        <Fact name={details.objectives} wide>
          <ul className="ml-5 list-disc marker:text-muted">
            {call.objectives.map((objective, place) => (
              <li key={objective}>
                {objective}
                <MandateLine mandate={call.mandates[place]} />
              </li>
            ))}
          </ul>
        </Fact>
      )}
      <Fact name={details.tone}>{tones[call.tone]}</Fact>
      <Fact name={details.language}>{languages[call.language]}</Fact>
      <Fact name={details.maxDuration}>{details.minutes(call.maxDurationMinutes)}</Fact>
      {call.durationSeconds !== null && <Fact name={details.duration}>{duration(call.durationSeconds)}</Fact>}
      {call.creditsCharged !== null && <Fact name={details.credits}>{count(call.creditsCharged)}</Fact>}
      {call.legs.length > 0 && (
        <Fact name={details.legs} wide>
          <Legs call={call} />
        </Fact>
      )}
      <Fact name={details.created}>{exactTime(call.createdAt)}</Fact>
      {call.completedAt && <Fact name={details.completed}>{exactTime(call.completedAt)}</Fact>}
      {endingText(call) && <Fact name={details.ended}>{endingText(call)}</Fact>}
      {hasContext && (
        <Fact name={details.context} wide>
          <pre className="overflow-x-auto rounded-base bg-paper p-3 font-mono text-sm whitespace-pre-wrap">
            {JSON.stringify(call.context, null, 2)}
          </pre>
        </Fact>
      )}
      {call.vault.length > 0 && (
        <Fact name={details.privateValues} wide>
          <PrivateValues call={call} />
        </Fact>
      )}
      {call.events.length > 0 && (
        <Fact name={details.course} wide>
          <Course call={call} />
        </Fact>
      )}
    </dl>
  )
}

function MandateLine({ mandate }: { readonly mandate: Mandate | null | undefined }) {
  return mandate ? <p className="text-sm text-muted">{mandateText(mandate)}</p> : null
}

/** What was private in this call, and what of it was told to whom, when and by what. */
function PrivateValues({ call }: { readonly call: CallDetails }) {
  const { vault } = useWords().calls
  const number = phoneText(call.callee).number
  return (
    <ul className="ml-5 grid list-disc gap-1 marker:text-muted">
      {call.vault.map(({ name, condition }) => {
        const tellings = call.told.filter((each) => each.name === name)
        return (
          <li key={name}>
            <span className="font-medium">{name}</span>
            {tellings.map(({ by, at }) => (
              <p key={`${by} ${at}`} className="tabular text-sm">
                {vault.told[by](number, exactTime(at))}
              </p>
            ))}
            {tellings.length === 0 && (
              <p className="text-sm text-muted">
                {vault.notTold}
                {' · '}
                {condition.when === 'said' ? vault.afterWords(condition.words) : vault.conditions[condition.when]}
              </p>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** What each phone took of the call: theirs, and the user's own where it was rung in. */
function Legs({ call }: { readonly call: CallDetails }) {
  const { details } = useWords().calls
  return (
    <ul className="grid gap-1">
      {call.legs.map(({ leg, to, seconds, credits: charged, end }) => (
        <li key={leg}>
          {details.legTo[to]}
          <span className="tabular text-muted">
            {seconds !== null && ` · ${duration(seconds)}`}
            {charged !== null && ` · ${credits(charged)}`}
            {end && ` · ${details.ownerEnds[end]}`}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Course({ call }: { readonly call: CallDetails }) {
  const { live } = useWords().calls
  return (
    <ol className="grid gap-1">
      {call.events.map(({ status, phase, at, question }) => (
        <li key={`${at} ${status} ${phase} ${question}`} className="flex gap-4">
          <time dateTime={at} className="tabular w-24 shrink-0 text-muted">
            {clockTime(at)}
          </time>
          {question === undefined ? phaseText({ phase, objectives: call.objectives }) : live.asked(question)}
        </li>
      ))}
    </ol>
  )
}

function Fact({
  name,
  wide = false,
  children,
}: {
  readonly name: string
  readonly wide?: boolean
  readonly children: ReactNode
}) {
  return (
    <div className={wide ? 'min-w-0 sm:col-span-2' : 'min-w-0'}>
      <dt className="mb-0.5 text-sm text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
