import {
  callsRoutes,
  contactsRoutes,
  LANGUAGES,
  PACKAGES,
  type PagePath,
  PAGES,
  reportsRoutes,
  securityRoutes,
} from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import * as en from '../../src/words/en/index.ts'
import * as englishLegal from '../../src/words/en/legal.ts'
import * as es from '../../src/words/es/index.ts'
import * as spanishLegal from '../../src/words/es/legal.ts'
import { aDay, aPeriod, aSummary } from '../reports/testing.ts'
import { aCall, aContact, expectTexts, findingsInLooks, listed, NARROW, openScreen, serve } from '../testing.tsx'

function sentencesIn(node: unknown): string[] {
  if (typeof node === 'string') return [node]
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(sentencesIn) : []
}
const names = [...Object.values(LANGUAGES), ...PACKAGES.map(({ name }) => name)]
const alike = new Set([...names, ...sentencesIn({ es, spanishLegal })])
const inEnglishOnly = new Set(sentencesIn({ en, englishLegal }).filter((sentence) => !alike.has(sentence)))
const ENGLISH =
  /\b(the|this|your|you|with|and|from|is|are|was|were|have|not|no longer|ago|calls?|credits?|minutes?|unknown|password)\b/i

/** English texts on the page, including labels, placeholders, titles and alt texts. */
function english(): string[] {
  const said = new Set<string>([document.title])
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) said.add(texts.currentNode.textContent?.trim() ?? '')
  for (const element of document.body.querySelectorAll('*'))
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) said.add(element.getAttribute(name)?.trim() ?? '')
  return [...said].filter((text) => inEnglishOnly.has(text) || ENGLISH.test(text))
}

/** A user with calls in Spanish. */
function serveInSpanish(): void {
  const api = serve()
  const call = aCall({
    purpose: 'Reservar una mesa',
    objectives: ['Mesa a las 7'],
    language: 'es',
    transcript: 'Agent: Hola.\nUser: A las siete está bien.',
    summary: 'La mesa queda reservada.',
    turns: [
      { index: 0, speaker: 'agent', text: 'Hola.', startMs: 0, endMs: 2000, heard: true },
      { index: 1, speaker: 'user', text: 'A las siete está bien.', startMs: 2500, endMs: 4500, heard: true },
    ],
    outcomes: [{ objective: 'Mesa a las 7', status: 'met', quote: 'A las siete está bien.', turn: 1, offer: null }],
  })
  const failed = aCall({
    id: 'call-2',
    purpose: 'Reservar una mesa',
    status: 'failed',
    endReason: 'busy',
    transcript: null,
    summary: null,
  })
  api.answer(reportsRoutes.calls, [listed(call), listed(failed)])
  api.answer(callsRoutes.get, call)
  api.answer(reportsRoutes.summaries, [
    aSummary({ title: 'Reservar una mesa', description: 'La mesa queda reservada.' }),
  ])
  const figures = { answered: 1, failed: 1, seconds: 65, credits: 2, met: 1 }
  const hours = [{ weekday: 1, hour: 9, calls: 2, answered: 1 }]
  api.answer(reportsRoutes.analytics, aPeriod([aDay('2026-11-02', figures)], { hours }))
  api.answer(securityRoutes.setUpSecondFactor, {
    uri: 'otpauth://totp/Parley?secret=JBSWY3DPEHPK3PXP',
    secret: 'JBSWY3DPEHPK3PXP',
  })
  api.answer(contactsRoutes.list, [aContact({ name: 'Trattoria', tags: ['comida'] })])
}

describe('in Spanish', () => {
  test.each([...Object.keys(PAGES), '/nowhere'])(
    '%s has no English text, no horizontal overflow and no axe findings',
    async (path) => {
      if (PAGES[path as PagePath] === 'signed-in') serveInSpanish()
      else serve(null)
      await openScreen(path, { language: 'es' })
      await expect.element(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
      await expect.poll(() => document.querySelector('main [aria-busy=true]')).toBeNull()
      await expect.poll(english).toEqual([])
      expect(await findingsInLooks(['light'])).toEqual([])
      expect(document.documentElement.lang).toBe('es')
      expect(english()).toEqual([])
    },
  )

  /** Dialogs, menus and tabs of a screen, by the names of the controls that open them. */
  const OPENED: readonly (readonly [
    path: string,
    ...openers: readonly (readonly [role: 'button' | 'tab', name: string])[],
  ])[] = [
    ['/dashboard', ['button', 'Abrir el menú']],
    ['/dashboard', ['button', 'Empezar con una plantilla']],
    ['/dashboard', ['button', 'Guardar como plantilla']],
    ['/make-call', ['tab', 'Por lotes']],
    ['/call-history', ['button', 'Ver la llamada a +1 202 555 0100'], ['tab', 'Detalles'], ['tab', 'Resumen']],
    ['/contacts', ['button', 'Añadir contacto']],
    ['/contacts', ['button', 'Importar y exportar']],
    ['/contacts', ['button', 'Eliminar a Trattoria']],
    ['/contacts', ['tab', 'No llamar']],
    ['/billing', ['tab', 'Movimientos'], ['tab', 'Compras'], ['button', 'Contactar con ventas']],
    ['/analytics', ['button', 'Ver como tabla: Llamadas por día']],
    ['/settings', ['button', 'Configurar la app']],
    ['/settings', ['button', 'Eliminar cuenta']],
  ]
  const OPENED_BY_VISITORS: typeof OPENED = [
    ['/login', ['button', '¿Olvidaste tu contraseña?']],
    ['/login', ['button', '¿No recibiste el correo de verificación?']],
  ]

  test.each([
    ['members', OPENED],
    ['visitors', OPENED_BY_VISITORS],
  ])('dialogs, menus and tabs that %s open have no English text and fit a phone', async (who, opened) => {
    if (who === 'members') serveInSpanish()
    else serve(null)
    for (const [path, ...openers] of opened) {
      await openScreen(path, { language: 'es', size: NARROW })
      for (const [role, name] of openers) {
        await page.getByRole(role, { name, exact: true }).first().click()
        await expect.poll(english, { message: name }).toEqual([])
        const widerBy = document.documentElement.scrollWidth - document.documentElement.clientWidth
        expect([name, Math.max(0, widerBy)]).toEqual([name, 0])
      }
    }
  })
})

test('the language switch keeps the page and its typed values, and is remembered', async () => {
  serve(null)
  await openScreen('/register')
  await page.getByLabelText('Full name').fill('Ana Ruiz')
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Page language' }), 'Español')
  await expect.element(page.getByRole('heading', { name: 'Crea tu cuenta' })).toBeVisible()
  await expect.element(page.getByLabelText('Nombre completo')).toHaveValue('Ana Ruiz')
  await expect.poll(() => [document.documentElement.lang, document.title]).toEqual(['es', 'Crea tu cuenta · Parley'])
  expect(english()).toEqual([])
  const { preferredLanguage } = await import('../../src/lib/language.ts')
  expect(preferredLanguage()).toBe('es')
})

test('the language switch translates the legal texts, which say that the English text is binding', async () => {
  serve(null)
  await openScreen('/terms-of-service')
  await expectTexts(['Governing law'])
  await userEvent.selectOptions(page.getByRole('combobox', { name: 'Page language' }).first(), 'Español')
  await expectTexts([
    'Ley aplicable',
    'Esta traducción es una ayuda para la lectura: el texto vinculante es el inglés.',
  ])
  expect(english()).toEqual([])
})
