import { expect, it } from 'vitest'
import { newPasswordProblem, registrationProblem } from './checks.ts'

const good = { name: 'Ana Ruiz', email: 'ana@example.com', password: 'long enough', confirmation: 'long enough' }

// screens.md: refuses-registration
it.each([
  [{ name: ' ' }, 'All fields are required', ['name']],
  [{ email: '', confirmation: '' }, 'All fields are required', ['email', 'confirmation']],
  [{ password: 'short12', confirmation: 'short12' }, 'Password must be at least 8 characters long', ['password']],
  [{ confirmation: 'something else' }, 'Passwords do not match', ['confirmation']],
  [{ email: 'ana@example' }, 'Please enter a valid email address', ['email']],
])('refuses a registration with %o', (change, message, fields) => {
  expect(registrationProblem({ ...good, ...change })).toEqual({ message, fields })
})

it('accepts a complete registration', () => expect(registrationProblem(good)).toBeUndefined())

// screens.md: asks-less-new-password
it('a reset password needs 6 characters and a matching confirmation', () => {
  expect(newPasswordProblem({ password: '12345', confirmation: '12345' })?.message).toBe(
    'Password must be at least 6 characters long',
  )
  expect(newPasswordProblem({ password: '123456', confirmation: '12345' })?.message).toBe('Passwords do not match')
  expect(newPasswordProblem({ password: '123456', confirmation: '123456' })).toBeUndefined()
})
