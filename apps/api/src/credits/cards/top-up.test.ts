import { adjust, tellLowBalances, topUp as buyForAll, withTx } from '@parley/api/testing'
import type { AutoTopUpState, Payment } from '@parley/contract'
import { describe, expect, test, vi } from 'vitest'
import { endBackOffs, failuresOf, poison } from '../../platform/rounds/testing.ts'
import type { Person } from '../../../../standalone/src/world.ts'
import { answerBank, CARDS, confirm, idIn, openAuditedShop, order, process } from '../payments/testing.ts'

const { shop, config } = await openAuditedShop()

describe('auto top-up', () => {
  const stateOf = (person: Person) => person.get<AutoTopUpState>(`/api/user/${person.user.id}/auto-top-up`)
  const topUp = () => buyForAll(shop.context.credits)

  async function withCard(number: string): Promise<Person> {
    const person = await shop.person()
    const answer = await person.send('POST', '/api/create-setup-intent', {})
    const { clientSecret } = (await answer.json()) as { clientSecret: string }
    const { body } = await confirm(config, clientSecret, number, 'setup_intents')
    if (body.status === 'requires_action') await answerBank(body, 'accept')
    const saved = await person.send('POST', '/api/save-card', { setupIntentId: idIn(clientSecret) })
    expect(await saved.json()).toMatchObject({
      card: { brand: 'visa', last4: number.slice(-4), expMonth: 12, expYear: 2040 },
      settings: null,
    })
    return person
  }
  const switchOn = (person: Person, thresholdCredits: number) =>
    person.send('POST', '/api/create-subscription', { packageId: 'light', thresholdCredits })

  test('is off by default and needs a saved card', async () => {
    const ada = await shop.person()
    expect(await stateOf(ada)).toEqual({ settings: null, card: null, problem: null })
    const answer = await switchOn(ada, 5)
    expect([answer.status, await answer.json()]).toMatchObject([
      409,
      { code: 'conflict', message: 'Please save a card first.' },
    ])
  })

  test.each([CARDS.good, CARDS.authenticates])(
    'buys with the saved card %s below the threshold, three times a day at most',
    async (number) => {
      const ada = await withCard(number)
      expect((await switchOn(ada, 5)).status).toBe(200)
      await topUp()
      expect(await ada.balance()).toBe(10)
      await switchOn(ada, 15)
      await Promise.all([topUp(), topUp()])
      await topUp()
      expect(await ada.balance()).toBe(20)
      expect(await ada.get<Payment[]>(`/api/user/${ada.user.id}/payments`)).toMatchObject([
        { automatic: true, status: 'succeeded', packageId: 'light' },
      ])
      // Three purchases a day, for any threshold.
      await switchOn(ada, 1000)
      for (let round = 0; round < 5; round++) await topUp()
      expect(await ada.balance()).toBe(40)
      // After the third purchase a low balance is mailed as without auto top-up.
      const { context } = shop
      await withTx(context.db, (tx) =>
        adjust(tx, { userId: ada.user.id, key: `adjust:${ada.user.id}`, credits: -39, reason: 'For the test' }),
      )
      await tellLowBalances(context.credits)
      await vi.waitFor(async () => {
        const mails = context.mailer.kind === 'outbox' ? await context.mailer.list() : []
        expect(
          mails.filter(({ to, subject }) => to === ada.user.email && subject.includes('running low')),
        ).toHaveLength(1)
      }, 90_000)
    },
    60_000,
  )

  test('that fails for one person each round buys for the others in the same round', async () => {
    const { db } = shop.context
    const people = [await withCard(CARDS.good), await withCard(CARDS.good)]
    const [poisoned, ada] = people
    for (const person of people) await switchOn(person, 15)
    const mend = await poison(db, 'payment', `new.user_id = '${poisoned!.user.id}'`)
    for (let round = 1; round <= 2; round++) {
      await endBackOffs(db)
      await topUp()
      expect((await failuresOf(db, 'credits.top-up'))[poisoned!.user.id]).toBe(round)
      expect([await poisoned!.balance(), await ada!.balance()]).toEqual([10, 10 + round * 10])
      await switchOn(ada!, 25)
    }
    await mend()
    await endBackOffs(db)
    await topUp()
    expect(await poisoned!.balance()).toBe(20)
  })

  test('stops and mails when the card is declined, until it is switched on again', async () => {
    const ada = await withCard(CARDS.declinesLater)
    await switchOn(ada, 15)
    await topUp()
    await topUp()
    expect(await stateOf(ada)).toMatchObject({ settings: { thresholdCredits: 15 }, problem: 'Your card was declined.' })
    expect(await ada.balance()).toBe(10)
    const { mailer } = shop.context
    await vi.waitFor(async () => {
      const mails = mailer.kind === 'outbox' ? await mailer.list() : []
      expect(
        mails.filter(({ to, subject }) => to === ada.user.email && subject.includes('could not buy credits')),
      ).toHaveLength(1)
    }, 90_000)
    await switchOn(ada, 15)
    expect((await stateOf(ada)).problem).toBeNull()
  })

  test('stops and mails when the event of the canceled payment comes first', async () => {
    const ada = await withCard(CARDS.declinesLater)
    await switchOn(ada, 15)
    const { context, sandbox } = shop
    const { paymentIntents } = context.credits.stripe!
    const cancel = paymentIntents.cancel.bind(paymentIntents)
    vi.spyOn(paymentIntents, 'cancel').mockImplementationOnce(async (id) => {
      const canceled = await cancel(id)
      const event = sandbox.events().findLast(({ type }) => type === 'payment_intent.canceled')
      expect(await sandbox.deliver(event!.id)).toBe(200)
      return canceled
    })
    await topUp()
    await topUp()
    expect(await stateOf(ada)).toMatchObject({ problem: 'Your card was declined.' })
    const { rows } = await context.database.pool.query('select status from payment where user_id = $1', [ada.user.id])
    expect(rows).toEqual([{ status: 'canceled' }])
    const { mailer } = context
    await vi.waitFor(async () => {
      const mails = mailer.kind === 'outbox' ? await mailer.list() : []
      expect(
        mails.filter(({ to, subject }) => to === ada.user.email && subject.includes('could not buy credits')),
      ).toHaveLength(1)
    }, 90_000)
  })

  test('uses the card saved with a purchase until it is removed', async () => {
    const ada = await shop.person()
    const secret = await order(ada, 'light', { saveCard: true })
    await confirm(config, secret, CARDS.good)
    await process(ada, idIn(secret))
    expect((await stateOf(ada)).card).toMatchObject({ last4: '4242' })
    await switchOn(ada, 5)
    const off = await ada.send('DELETE', `/api/user/${ada.user.id}/auto-top-up`, {})
    expect(await off.json()).toMatchObject({ settings: null, card: { last4: '4242' } })
    await switchOn(ada, 100)
    const gone = await ada.send('DELETE', `/api/user/${ada.user.id}/card`, {})
    expect(await gone.json()).toEqual({ settings: null, card: null, problem: null })
    await topUp()
    expect(await ada.balance()).toBe(20)
    const { customer } = await shop.stripe.paymentIntents.retrieve(idIn(secret))
    expect((await shop.stripe.customers.listPaymentMethods(typeof customer === 'string' ? customer : '')).data).toEqual(
      [],
    )
  })

  test("refuses another user's setup intent", async () => {
    const [ada, eve] = [await shop.person(), await shop.person()]
    const { clientSecret } = (await (await ada.send('POST', '/api/create-setup-intent', {})).json()) as {
      clientSecret: string
    }
    await confirm(config, clientSecret, CARDS.good, 'setup_intents')
    expect((await eve.send('POST', '/api/save-card', { setupIntentId: idIn(clientSecret) })).status).toBe(404)
    expect(await stateOf(eve)).toMatchObject({ card: null })
  })
})
