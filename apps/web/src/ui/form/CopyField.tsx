import { Check, Copy } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import { Button } from '../Button.tsx'
import { Field } from './Field.tsx'
import { Input } from './Input.tsx'

/** A text to copy. If the clipboard is denied, the text is selected instead. */
export function CopyField({
  label,
  hint,
  value,
}: {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly value: string
}) {
  const { common } = useWords()
  const input = useRef<HTMLInputElement>(null)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    input.current?.select()
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      setCopied(false)
    }
  }
  return (
    <Field label={label} hint={hint}>
      <div className="flex gap-2">
        <Input ref={input} readOnly value={value} className="font-mono text-sm" />
        <Button
          variant="secondary"
          onClick={copy}
          icon={
            isCopied ? <Check className="size-4" aria-hidden="true" /> : <Copy className="size-4" aria-hidden="true" />
          }
        >
          {isCopied ? common.copied : common.copy}
        </Button>
      </div>
    </Field>
  )
}
