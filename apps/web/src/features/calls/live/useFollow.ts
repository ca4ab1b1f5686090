import { useEffect, useRef, useState } from 'react'

const NEAR_END_PX = 48

/** Keeps the end of a growing text in view until the user scrolls up; at the end it follows again. */
export function useFollow() {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [following, setFollowing] = useState(true)
  const isFollowing = useRef(true)

  useEffect(() => {
    const box = scroller.current
    if (!box || !content.current) return undefined
    let lastTop = box.scrollTop
    const follow = (yes: boolean) => {
      isFollowing.current = yes
      setFollowing(yes)
    }
    const onScroll = () => {
      const fromEnd = box.scrollHeight - box.clientHeight - box.scrollTop
      if (fromEnd < NEAR_END_PX) follow(true)
      else if (box.scrollTop < lastTop) follow(false)
      lastTop = box.scrollTop
    }
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) box.scrollTop = box.scrollHeight
    })
    observer.observe(content.current)
    observer.observe(box)
    box.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', onScroll)
    }
  }, [])

  const toEnd = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  return { scroller, content, following, toEnd }
}
