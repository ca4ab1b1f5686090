import { useEffect, useState } from 'react'
import { platform } from './index.ts'

/** The URL of a sound of the api for an audio element; undefined while a shell loads it, or when it could not. */
export function useMedia(path: string): string | undefined {
  const [media, setMedia] = useState(() => begin(path))
  if (media.path !== path) setMedia(begin(path))
  const { url } = media
  const [ready, setReady] = useState<{ readonly of: typeof url; readonly url: string }>()
  useEffect(() => {
    if (typeof url === 'string') return undefined
    let loaded: string | undefined
    let isGone = false
    url.then(
      (arrived) => {
        loaded = arrived
        if (isGone) URL.revokeObjectURL(arrived)
        else setReady({ of: url, url: arrived })
      },
      () => undefined,
    )
    return () => {
      isGone = true
      if (loaded !== undefined) URL.revokeObjectURL(loaded)
    }
  }, [url])
  if (typeof url === 'string') return url
  return ready?.of === url ? ready.url : undefined
}

function begin(path: string): { readonly path: string; readonly url: string | Promise<string> } {
  return { path, url: platform().mediaUrl(path) }
}
