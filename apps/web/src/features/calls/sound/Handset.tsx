import { SAID_MAX_CHARS, type Call } from '@parley/contract'
import { Mic, MicOff, PhoneOff } from 'lucide-react'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { platform } from '../../../lib/platform/index.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { phone, useSound } from './useSound.ts'

/** The callee's side of a call to ...555 0199: typed text is spoken to the agent. */
export function Handset({ call }: { readonly call: Call }) {
  const { common, calls } = useWords()
  const { sound } = calls
  const state = useSound(phone, call.id)
  const [text, setText] = useState('')
  const words = useRef<HTMLInputElement>(null)
  const isOpen = state?.stage === 'open'
  useEffect(() => {
    if (isOpen) words.current?.focus()
  }, [isOpen])
  if (!state) return null
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const said = text.trim()
    if (said === '' || !isOpen) return
    phone.send({ type: 'say', text: said })
    setText('')
  }
  const turnMicrophone = () => {
    if (state.microphone) return phone.quiet()
    phone
      .speak()
      .catch(() => toast({ tone: 'error', title: common.error, description: sound.noMicrophone[platform().where] }))
  }
  const Icon = state.microphone ? MicOff : Mic
  return (
    <section aria-label={sound.handset} className="border-t border-line bg-mint p-3 sm:px-6">
      <form onSubmit={submit} className="flex flex-wrap items-center gap-2 sm:gap-3">
        <Input
          ref={words}
          aria-label={sound.yourWords}
          placeholder={sound.yourWords}
          maxLength={SAID_MAX_CHARS}
          enterKeyHint="send"
          autoComplete="off"
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="min-w-0 flex-1 max-sm:basis-full"
        />
        <Button type="submit" pending={!isOpen}>
          {sound.say}
        </Button>
        <Button
          variant="secondary"
          aria-pressed={state.microphone}
          icon={<Icon className="size-4" aria-hidden="true" />}
          onClick={turnMicrophone}
        >
          <span className="max-sm:sr-only">{state.microphone ? sound.microphoneOff : sound.microphoneOn}</span>
        </Button>
        <Button
          variant="danger"
          icon={<PhoneOff className="size-4" aria-hidden="true" />}
          onClick={() => phone.close()}
        >
          {sound.hangUp}
        </Button>
      </form>
      <p className="mt-2 text-sm text-muted">{sound.handsetHint}</p>
    </section>
  )
}
