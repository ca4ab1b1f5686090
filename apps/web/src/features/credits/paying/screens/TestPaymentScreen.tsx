import { PACKAGES, TEST_PAYMENT } from '@parley/contract'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { count, dollars } from '../../../../lib/format/format.ts'
import { randomKey } from '../../../../lib/random.ts'
import { useWords } from '../../../../words/index.ts'
import { Badge } from '../../../../ui/Badge.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { Card, PageHead } from '../../../../ui/Card.tsx'
import { toast } from '../../../../ui/toast/toast.ts'

const [LIGHT] = PACKAGES

/** A simulated purchase without a card. It never adds credits. */
export default function TestPaymentScreen() {
  const { credits, titles } = useWords()
  const { test } = credits
  const [isRunning, setIsRunning] = useState(false)
  useSimulation(isRunning)
  return (
    <>
      <PageHead title={titles['/test-payment']} lead={test.lead} />
      <Card className="max-w-md">
        <div className="flex items-start justify-between gap-4">
          <h2 className="text-lg font-semibold">{test.item(LIGHT.name)}</h2>
          <Badge tone="live">{test.badge}</Badge>
        </div>
        <p className="tabular mt-1 text-muted">{test.forCredits(dollars(LIGHT.price), count(TEST_PAYMENT.credits))}</p>
        <Button size="large" className="mt-6 w-full" pending={isRunning} onClick={() => setIsRunning(true)}>
          {isRunning ? test.running : test.run}
        </Button>
      </Card>
    </>
  )
}

/** Toast, wait, toast, wait, redirect. Leaving the screen cancels it. */
function useSimulation(isRunning: boolean): void {
  const { test } = useWords().credits
  const navigate = useNavigate()
  useEffect(() => {
    if (!isRunning) return undefined
    toast({ title: test.startedTitle, description: test.started })
    const payment_intent = `${TEST_PAYMENT.intentPrefix}${randomKey().slice(0, 16)}`
    let timer = setTimeout(() => {
      toast({ tone: 'success', title: test.doneTitle, description: test.done })
      timer = setTimeout(
        () =>
          void navigate({ to: '/billing/success', search: { payment_intent, credits: String(TEST_PAYMENT.credits) } }),
        TEST_PAYMENT.secondDelayMs,
      )
    }, TEST_PAYMENT.firstDelayMs)
    return () => clearTimeout(timer)
  }, [isRunning, navigate, test])
}
