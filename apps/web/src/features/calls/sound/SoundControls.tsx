import { PHASES, type CallChange, type CallDetails } from '@parley/contract'
import { Grid3x3, Headphones, Mic, MicOff, VolumeX } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { sentenceOf } from '../../../lib/server/http.ts'
import { platform } from '../../../lib/platform/index.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { useSteerCall } from '../api.ts'
import { audio, useSound } from './useSound.ts'

interface ControlProps {
  readonly call: CallDetails
}

const LABEL = 'max-lg:sr-only'

function useShowError(): (error: unknown, sentence: string) => void {
  const { common } = useWords()
  return (error, sentence) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, sentence) })
}

/** Plays both sides of the call. */
export function Listen({ call }: ControlProps) {
  const { sound } = useWords().calls
  const state = useSound(audio, call.id)
  const showError = useShowError()
  const listen = () => {
    audio
      .open(call.id, (ended) => ended === 'lost' && showError(undefined, sound.listenFailed))
      .catch((error: unknown) => showError(error, sound.listenFailed))
  }
  const Icon = state ? VolumeX : Headphones
  return (
    <Button
      variant="secondary"
      aria-pressed={state !== null}
      disabled={call.connectedAt === null}
      pending={state?.stage === 'connecting'}
      icon={<Icon className="size-4" aria-hidden="true" />}
      onClick={() => (state ? audio.close() : listen())}
    >
      <span className={LABEL}>{state ? sound.stopListening : sound.listen}</span>
    </Button>
  )
}

/** The user speaks to the callee instead of the agent, until handing back. */
export function TakeOver({ call }: ControlProps) {
  const { sound } = useWords().calls
  const state = useSound(audio, call.id)
  const steer = useSteerCall(call.id)
  const showError = useShowError()
  const [opening, setOpening] = useState(false)
  const speaks = call.phase === PHASES.takenOver || call.phase === PHASES.takingOver
  const takeOver = async () => {
    setOpening(true)
    try {
      if (!state) await audio.open(call.id)
      await audio.speak()
    } catch (error) {
      return showError(
        undefined,
        error instanceof DOMException ? sound.noMicrophone[platform().where] : sound.takeOverFailed,
      )
    } finally {
      setOpening(false)
    }
    change({ action: 'take_over' })
  }
  const handBack = () => {
    audio.quiet()
    change({ action: 'hand_back' })
  }
  const change = (action: CallChange) =>
    steer.mutate(action, {
      onError: (error) => {
        audio.quiet()
        showError(error, sound.takeOverFailed)
      },
    })
  const Icon = speaks ? MicOff : Mic
  return (
    <Button
      variant={speaks ? 'primary' : 'secondary'}
      disabled={call.connectedAt === null}
      pending={opening || steer.isPending}
      icon={<Icon className="size-4" aria-hidden="true" />}
      onClick={() => (speaks ? handBack() : void takeOver())}
    >
      <span className={LABEL}>{speaks ? sound.handBack : sound.takeOver}</span>
    </Button>
  )
}

/** As many as fit above the keys. */
const SHOWN_KEYS = 16
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'] as const

/** The telephone keypad: above its button; on a phone as wide as the bar, because it would be cut off. */
export function Keypad({ call }: ControlProps) {
  const { sound } = useWords().calls
  const steer = useSteerCall(call.id)
  const showError = useShowError()
  const [open, setOpen] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEscape(open, panel, () => {
    if (panel.current?.contains(document.activeElement)) button.current?.focus()
    setOpen(false)
  })
  const [pressed, setPressed] = useState('')
  const press = (digits: string) => {
    setPressed((earlier) => earlier + digits)
    steer.mutate({ action: 'press', digits }, { onError: (error) => showError(error, sound.pressFailed) })
  }
  return (
    <div className="sm:relative">
      {open && (
        <div
          ref={panel}
          id="call-keypad"
          className="absolute inset-x-3 bottom-full z-10 mb-3 grid max-h-[60dvh] grid-cols-1 animate-rise gap-3 overflow-y-auto rounded-base border border-line bg-surface p-3 shadow-soft sm:right-0 sm:left-auto sm:w-60"
        >
          <output aria-label={sound.pressed} className="tabular min-h-6 text-center text-lg">
            {pressed.slice(-SHOWN_KEYS)}
          </output>
          <div className="grid grid-cols-3 gap-2">
            {KEYS.map((key) => (
              <Button
                key={key}
                variant="secondary"
                aria-label={sound.key(key)}
                className="tabular"
                onClick={() => press(key)}
              >
                {key}
              </Button>
            ))}
          </div>
        </div>
      )}
      <Button
        ref={button}
        variant="secondary"
        aria-expanded={open}
        aria-controls={open ? 'call-keypad' : undefined}
        disabled={call.connectedAt === null}
        icon={<Grid3x3 className="size-4" aria-hidden="true" />}
        onClick={() => setOpen(!open)}
      >
        <span className={LABEL}>{sound.keypad}</span>
      </Button>
    </div>
  )
}

/** Escape closes the keypad before the dialog around it, whose listener is on the document. */
function useEscape(open: boolean, part: RefObject<HTMLElement | null>, close: () => void): void {
  const onEscape = useEffectEvent(close)
  useEffect(() => {
    if (!open) return undefined
    const hear = (event: KeyboardEvent) => {
      // A dialog above this one handles its own Escape.
      const isHere = event.target instanceof Node && part.current?.closest('[role=dialog]')?.contains(event.target)
      if (event.key !== 'Escape' || !isHere) return
      event.stopPropagation()
      onEscape()
    }
    addEventListener('keydown', hear, { capture: true })
    return () => removeEventListener('keydown', hear, { capture: true })
  }, [open, part])
}
