import { PACKAGES } from '@parley/contract'
import { expect, it } from 'vitest'
import { createUnanswered, intentIdOf, purchaseOf, returnPath } from './purchases.ts'

const [light, premium] = PACKAGES
const plain = { withProduct: true, saveCard: false }

function storage() {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
}

it('asks for whole cents and for credits with the bonus', () => {
  expect(purchaseOf(premium, plain)).toEqual({
    amount: 1999,
    credits: 30,
    packageId: 'premium',
    productId: 'parley_premium',
  })
  expect(purchaseOf(light, { withProduct: false, saveCard: true })).toEqual({
    amount: 999,
    credits: 10,
    packageId: 'light',
    saveCard: true,
  })
})

// screens.md: refuses-price
it.each([0, -1, Number.NaN])('refuses a price of %d', (price) => {
  expect(() => purchaseOf({ ...light, price }, plain)).toThrow('Invalid amount.')
})

it('remembers the client secret of an unanswered payment per user and package until forgotten', () => {
  const store = storage()
  createUnanswered('ada', store).remember('light', { clientSecret: 'pi_1_secret_x', saveCard: false })
  createUnanswered('ada', store).remember('premium', { clientSecret: 'pi_2_secret_x', saveCard: true })
  const reloaded = createUnanswered('ada', store)
  expect(reloaded.find('light')).toEqual({ clientSecret: 'pi_1_secret_x', saveCard: false })
  expect(reloaded.find('premium')).toEqual({ clientSecret: 'pi_2_secret_x', saveCard: true })
  expect(reloaded.find('pro')).toBeUndefined()
  expect(createUnanswered('eve', store).find('light')).toBeUndefined()
  reloaded.forget('light')
  expect(reloaded.find('light')).toBeUndefined()
})

it('works without storage', () => {
  const refuse = () => {
    throw new Error('denied')
  }
  const unanswered = createUnanswered('ada', { getItem: refuse, setItem: refuse, removeItem: refuse })
  unanswered.remember('light', { clientSecret: 'pi_1_secret_x', saveCard: false })
  expect(unanswered.find('light')).toBeUndefined()
})

it('takes the intent id from its client secret', () => {
  expect(intentIdOf('pi_3abc_secret_xyz')).toBe('pi_3abc')
  expect(intentIdOf('')).toBe('')
})

// screens.md: leads-back-payment-address
it('builds the return address with intent and credits', () => {
  expect(returnPath('/billing/success', { id: 'pi_1', credits: 30 })).toBe(
    '/billing/success?payment_intent=pi_1&credits=30',
  )
  expect(returnPath('/billing', { id: 'pi_1', credits: 30 })).toBe(
    '/billing?success=true&payment_intent=pi_1&credits=30',
  )
})
