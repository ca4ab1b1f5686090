import {
  CHECKOUT_DEFAULT,
  LOW_BALANCE_CREDITS,
  PACKAGES,
  totalCredits,
  type AutoTopUpState,
  type PackageId,
} from '@parley/contract'
import { creditsRoutes } from '@parley/contract/page'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { count, dollars } from '../../../lib/format/format.ts'
import { request, sentenceOf } from '../../../lib/server/http.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/form/Field.tsx'
import { Input } from '../../../ui/form/Input.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { topUpQuery } from '../api.ts'
import { packageOf } from '../packages.ts'

const THRESHOLD_MAX = 1000

/** Package and threshold. The default threshold is that of the low-balance notice. */
export function TopUpForm({ settings }: { readonly settings: AutoTopUpState['settings'] }) {
  const { topUp } = useWords().credits
  const [packageId, setPackageId] = useState<PackageId>(settings?.packageId ?? CHECKOUT_DEFAULT)
  const [threshold, setThreshold] = useState(String(settings?.thresholdCredits ?? LOW_BALANCE_CREDITS))
  const [problem, setProblem] = useState<string>()
  const { starting, stopping } = useTopUp()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const thresholdCredits = Number(threshold)
    const isRight = Number.isInteger(thresholdCredits) && thresholdCredits >= 1 && thresholdCredits <= THRESHOLD_MAX
    setProblem(isRight ? undefined : topUp.thresholdWrong(count(THRESHOLD_MAX)))
    if (isRight) starting.mutate({ packageId, thresholdCredits })
  }
  const options = PACKAGES.map((item) => ({
    value: item.id,
    label: topUp.option(item.name, count(totalCredits(item)), dollars(item.price)),
  }))
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <Field label={topUp.package}>
        <Select value={packageId} onValueChange={setPackageId} options={options} />
      </Field>
      <Field label={topUp.threshold} hint={topUp.thresholdHint} error={problem}>
        <Input
          type="number"
          inputMode="numeric"
          min={1}
          max={THRESHOLD_MAX}
          value={threshold}
          onChange={({ target }) => setThreshold(target.value)}
          className="tabular"
        />
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" pending={starting.isPending}>
          {settings ? topUp.save : topUp.turnOn}
        </Button>
        {settings && (
          <Button variant="secondary" pending={stopping.isPending} onClick={() => stopping.mutate()}>
            {topUp.turnOff}
          </Button>
        )}
      </div>
    </form>
  )
}

function useTopUp() {
  const { common, credits } = useWords()
  const { topUp } = credits
  const { id } = useSignedInUser()
  const client = useQueryClient()
  const { queryKey } = topUpQuery(id)
  const onError = (error: Error) =>
    toast({ tone: 'error', title: common.error, description: sentenceOf(error, topUp.failed) })
  const starting = useMutation({
    mutationFn: async (body: { packageId: PackageId; thresholdCredits: number }) =>
      request(creditsRoutes.createSubscription, { body }),
    onSuccess: (settings) => {
      client.setQueryData(queryKey, (state) => state && { ...state, settings, problem: null })
      const text = topUp.saved(packageOf(settings.packageId).name, count(settings.thresholdCredits))
      toast({ tone: 'success', title: topUp.savedTitle, description: text })
    },
    onError,
  })
  const stopping = useMutation({
    mutationFn: async () => request(creditsRoutes.stopAutoTopUp, { params: { id } }),
    onSuccess: (state) => {
      client.setQueryData(queryKey, state)
      toast({ tone: 'success', title: topUp.stopped })
    },
    onError,
  })
  return { starting, stopping }
}
