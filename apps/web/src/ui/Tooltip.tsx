import { TOOLTIPS } from '@parley/contract'
import { Slot } from 'radix-ui'
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { createPortal } from 'react-dom'

/** Room for a line of text and what lies around it. */
const HEIGHT_PX = 48
const EDGE_PX = 8

/** When the last tip closed: a neighbour that is pointed at right after need not wait. */
let closedAt = Number.NEGATIVE_INFINITY

interface Place {
  readonly left: number
  readonly top: number
  readonly isBelow: boolean
}

/** The child must be able to take the focus, or keyboards never see the tip. */
export function Tooltip({ tip, children }: { readonly tip: ReactNode; readonly children: ReactElement }) {
  const id = useId()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [place, setPlace] = useState<Place>()
  useEffect(() => () => clearTimeout(timer.current), [])
  const show = (anchor: Element) => {
    const { left, width, top, bottom } = anchor.getBoundingClientRect()
    const isBelow = top < HEIGHT_PX
    setPlace({ left: left + width / 2, top: isBelow ? bottom : top, isBelow })
  }
  const hide = () => {
    clearTimeout(timer.current)
    if (place) closedAt = performance.now()
    setPlace(undefined)
  }
  const point = (anchor: Element) => {
    clearTimeout(timer.current)
    if (performance.now() - closedAt < TOOLTIPS.skipDelayMs) show(anchor)
    else timer.current = setTimeout(() => show(anchor), TOOLTIPS.delayMs)
  }
  /** The pointer may go from one to the other: the tip can be read under it. */
  const leave = ({ relatedTarget }: PointerEvent) => {
    const isWithin = relatedTarget instanceof Element && relatedTarget.closest(`[data-tip="${id}"]`) !== null
    if (!isWithin) hide()
  }
  return (
    <>
      <Slot.Root
        data-tip={id}
        aria-describedby={place && id}
        onPointerEnter={(event) => event.pointerType !== 'touch' && point(event.currentTarget)}
        onPointerLeave={leave}
        onPointerDown={hide}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && show(event.currentTarget)}
        onBlur={hide}
        onKeyDown={(event) => event.key === 'Escape' && hide()}
      >
        {children}
      </Slot.Root>
      {place && <Tip id={id} place={place} tip={tip} onLeave={leave} onGone={hide} />}
    </>
  )
}

interface TipProps {
  readonly id: string
  readonly place: Place
  readonly tip: ReactNode
  readonly onLeave: (event: PointerEvent) => void
  readonly onGone: () => void
}

function Tip({ id, place, tip, onLeave, onGone }: TipProps) {
  const box = useRef<HTMLDivElement>(null)
  const go = useEffectEvent(onGone)
  // It stands where its anchor was: what scrolls takes it away. Near an edge it moves inwards.
  useEffect(() => {
    const { current } = box
    if (!current) return undefined
    const { left, right } = current.getBoundingClientRect()
    const inwards = Math.max(0, EDGE_PX - left) - Math.max(0, right - (document.documentElement.clientWidth - EDGE_PX))
    current.style.marginLeft = `${inwards}px`
    const scrolled = () => go()
    addEventListener('scroll', scrolled, { capture: true, once: true })
    return () => removeEventListener('scroll', scrolled, { capture: true })
  }, [])
  return createPortal(
    <div
      ref={box}
      data-tip={id}
      onPointerLeave={onLeave}
      style={{ left: place.left, top: place.top, transform: `translate(-50%, ${place.isBelow ? '0' : '-100%'})` }}
      className="fixed z-60 py-1.5"
    >
      <div
        id={id}
        role="tooltip"
        className="max-w-72 animate-appear rounded-small bg-ink px-2.5 py-1.5 text-sm text-paper"
      >
        {tip}
      </div>
    </div>,
    document.body,
  )
}
