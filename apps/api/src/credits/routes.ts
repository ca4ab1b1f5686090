import { creditsRoutes, PACKAGES } from '@parley/contract'
import { AppError } from '../platform/errors.ts'
import { idempotencyKeyOf, type Router } from '../platform/http.ts'
import { readAutoTopUp, switchOff, switchOn } from './cards/auto-top-up.ts'
import { beginSetup, forgetCard, recordSetup } from './cards/cards.ts'
import { beginPayment, processPayment } from './payments/payments.ts'
import { listPayments, readReceipt, readStatementCsv } from './read.ts'
import type { CreditsRoom } from './room.ts'
import { statement } from './ledger/statement.ts'
import { addWebhook } from './payments/webhook.ts'

export function registerCredits(router: Router, room: CreditsRoom): void {
  addPayments(router, room)
  addCards(router, room)
  addBooks(router, room)
  addWebhook(router.fastify, room)
}

function addPayments({ route }: Router, room: CreditsRoom): void {
  const { payments } = room.config
  route(creditsRoutes.packages, () => [...PACKAGES])
  route(creditsRoutes.paymentsConfig, () => {
    if (payments.kind === 'off') throw new AppError('switched_off', 'Payments are not available here.')
    const apiUrl = payments.kind === 'sandbox' ? (payments.apiBase ?? null) : null
    return { mode: payments.kind, publishableKey: payments.publishableKey, apiUrl }
  })
  route(creditsRoutes.createPaymentIntent, ({ actor, body, request }) =>
    beginPayment(room, actor.userId, body, idempotencyKeyOf(request)),
  )
  route(creditsRoutes.processPaymentSuccess, ({ actor, body }) =>
    processPayment(room, actor.userId, body.paymentIntentId),
  )
  route(creditsRoutes.processMissedPayment, ({ actor, body }) =>
    processPayment(room, actor.userId, body.paymentIntentId),
  )
}

function addCards({ route }: Router, room: CreditsRoom): void {
  route(creditsRoutes.createSubscription, ({ actor, body }) => switchOn(room, actor.userId, body))
  route(creditsRoutes.autoTopUp, ({ actor }) => readAutoTopUp(room.db, actor.userId))
  route(creditsRoutes.stopAutoTopUp, async ({ actor }) => {
    await switchOff(room.db, actor.userId)
    return readAutoTopUp(room.db, actor.userId)
  })
  route(creditsRoutes.createSetupIntent, ({ actor }) => beginSetup(room, actor.userId))
  route(creditsRoutes.saveCard, async ({ actor, body }) => {
    await recordSetup(room, body.setupIntentId, actor.userId)
    return readAutoTopUp(room.db, actor.userId)
  })
  route(creditsRoutes.forgetCard, async ({ actor }) => {
    await forgetCard(room, actor.userId)
    return readAutoTopUp(room.db, actor.userId)
  })
}

function addBooks({ route }: Router, room: CreditsRoom): void {
  route(creditsRoutes.payments, ({ actor, query }) => listPayments(room.db, actor.userId, query))
  route(creditsRoutes.receipt, async ({ actor, params, reply }) => {
    const pdf = await readReceipt(room.db, actor.userId, params.id)
    const name = `attachment; filename="receipt-${params.id}.pdf"`
    return reply.type('application/pdf').header('content-disposition', name).send(pdf)
  })
  route(creditsRoutes.statement, ({ actor, query }) => statement(room.db, actor.userId, query))
  route(creditsRoutes.statementFile, ({ actor, reply }) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="statement.csv"')
      .send(readStatementCsv(room.db, actor.userId)),
  )
}
