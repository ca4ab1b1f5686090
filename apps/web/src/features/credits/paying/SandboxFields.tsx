import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState } from 'react'
import { useWords } from '../../../words/index.ts'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { checkCard, cvcDigits, groupedNumber, slashedExpiry, type CardField, type CardProblems } from './card.ts'
import type { Answer, CardDoor } from './door.ts'
import type { FieldsProps } from './fields.ts'
import { createSandbox } from './sandbox.ts'
import { SecureStep, type BankQuestion } from './SecureStep.tsx'

const EMPTY = { number: '', expiry: '', cvc: '' }

/** The card form of the payments sandbox, with the fields, checks and steps of Stripe's. */
export default function SandboxFields({ door, config, intent, amount, disabled, onOpen }: FieldsProps) {
  const { card: words } = useWords().credits
  const [fields, setFields] = useState(EMPTY)
  const [problems, setProblems] = useState<CardProblems>({})
  const [question, setQuestion] = useState<BankQuestion>()
  const inputs = useRef<HTMLDivElement>(null)

  useImperativeHandle<CardDoor, CardDoor>(door, () => {
    const sandbox = createSandbox(config.apiUrl ?? '', config.publishableKey, intent)
    const askBank = async (url: string): Promise<Answer> => {
      const answer = await new Promise<Answer>((decided) =>
        setQuestion({ url, look: async () => sandbox.look(), answer: decided }),
      )
      setQuestion(undefined)
      return answer
    }
    return {
      look: async () => sandbox.look(),
      async confirm() {
        const checked = checkCard(fields)
        if ('problems' in checked) {
          setProblems(checked.problems)
          inputs.current?.querySelector<HTMLInputElement>(`[name=${Object.keys(checked.problems)[0]}]`)?.focus()
          return { kind: 'incomplete' }
        }
        const answer = await sandbox.confirm(checked.card)
        return answer.kind === 'bank-asks' ? askBank(answer.url) : answer
      },
    }
  }, [config, intent, fields])
  const open = useEffectEvent(onOpen)
  useEffect(() => {
    open()
  }, [intent])

  const change = (name: CardField, value: string) => {
    setFields((before) => ({ ...before, [name]: value }))
    setProblems(({ [name]: _solved, ...others }) => others)
  }
  /** On blur: reports an invalid field; empty fields are reported on submit. */
  const check = (name: CardField) => {
    if (fields[name] === '') return
    const checked = checkCard(fields)
    const problem = 'problems' in checked ? checked.problems[name] : undefined
    if (problem) setProblems((before) => ({ ...before, [name]: problem }))
  }
  const props = (name: CardField) => ({
    name,
    value: fields[name],
    // Read-only instead of disabled: the focus stays during the payment.
    readOnly: disabled,
    onBlur: () => check(name),
    className: 'tabular',
    inputMode: 'numeric' as const,
  })

  return (
    <div ref={inputs} className="grid grid-cols-2 items-start gap-x-4 gap-y-5">
      <Field label={words.number} error={problems.number} className="col-span-2">
        <Input
          {...props('number')}
          autoComplete="cc-number"
          placeholder={words.numberPlaceholder}
          onChange={({ target }) => change('number', groupedNumber(target.value))}
        />
      </Field>
      <Field label={words.expiry} error={problems.expiry}>
        <Input
          {...props('expiry')}
          autoComplete="cc-exp"
          placeholder={words.expiryPlaceholder}
          onChange={({ target }) => change('expiry', slashedExpiry(target.value, fields.expiry))}
        />
      </Field>
      <Field label={words.cvc} error={problems.cvc}>
        <Input
          {...props('cvc')}
          autoComplete="cc-csc"
          placeholder={words.cvcPlaceholder}
          onChange={({ target }) => change('cvc', cvcDigits(target.value))}
        />
      </Field>
      <SecureStep amount={amount} question={question} />
    </div>
  )
}
