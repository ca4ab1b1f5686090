import type { VoicePreview } from '@parley/contract'
import { callsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { Square, Volume2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { requestFile, sentenceOf } from '../../../lib/server/http.ts'
import { Button } from '../../../ui/Button.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { useWords } from '../../../words/index.ts'

/** Plays a sentence in the chosen voice and language, as it sounds on the telephone. */
export function ListenButton({ voice, language }: VoicePreview) {
  const { common, settings } = useWords()
  const { preview } = settings.calls
  const stop = useRef<(() => void) | null>(null)
  const [playing, setPlaying] = useState(false)
  const hush = () => {
    stop.current?.()
    stop.current = null
    setPlaying(false)
  }
  // Another voice was chosen, or the page is left.
  useEffect(() => hush, [voice, language])
  const loading = useMutation({
    mutationFn: async (context: AudioContext) => {
      const file = await requestFile(callsRoutes.voicePreview, { query: { voice, language } })
      return { context, sound: await context.decodeAudioData(await file.arrayBuffer()) }
    },
    onSuccess: ({ context, sound }) => {
      stop.current = play(context, sound, hush)
      setPlaying(true)
    },
    onError: (error, context) => {
      void context.close()
      toast({ tone: 'error', title: common.error, description: sentenceOf(error, preview.failed) })
    },
  })
  const name = settings.voices[voice]
  return (
    <Button
      variant="secondary"
      pending={loading.isPending}
      icon={playing ? <Square aria-hidden="true" /> : <Volume2 aria-hidden="true" />}
      aria-label={playing ? preview.stop : preview.listenTo(name)}
      // Made in the click: browsers play no sound that nobody asked for.
      onClick={playing ? hush : () => loading.mutate(new AudioContext())}
    >
      {playing ? preview.stop : preview.listen}
    </Button>
  )
}

/** Returns how to stop it. */
function play(context: AudioContext, sound: AudioBuffer, onEnd: () => void): () => void {
  const source = context.createBufferSource()
  source.buffer = sound
  source.connect(context.destination)
  source.addEventListener('ended', onEnd)
  source.start()
  return () => {
    source.removeEventListener('ended', onEnd)
    void context.close()
  }
}
