import { LANGUAGES, PACKAGES } from '@parley/contract'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import * as en from '../../src/words/en/index.ts'
import * as englishLegal from '../../src/words/en/legal.ts'
import * as es from '../../src/words/es/index.ts'
import * as spanishLegal from '../../src/words/es/legal.ts'
import { expectText, picture, press, SEEN, visit } from '../../../standalone/src/browser.ts'
import { joinWorld } from '../testing.ts'
import { mailedLink } from '../../../standalone/src/world.ts'

// Longer than 20 s: a whole journey in Spanish, from registration to the result of a call.

const PASSWORD = 'correct horse battery'
const SPANISH = { locale: 'es-MX' } as const

const { parley, browser } = await joinWorld()

const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang)
/** The tab title is set shortly after the heading. */
const expectTab = (page: Page, language: string, title: string) =>
  expect.poll(async () => [await languageOf(page), await page.title()], SEEN).toEqual([language, title])
const choose = async (page: Page, of: string, language: string) => {
  await page
    .getByRole('combobox', { name: of, exact: true })
    .filter({ visible: true })
    .first()
    .selectOption({ label: language })
}

function sentencesIn(node: unknown): string[] {
  if (typeof node === 'string') return [node]
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(sentencesIn) : []
}
const names = [...Object.values(LANGUAGES), ...PACKAGES.map(({ name }) => name)]
const alike = new Set([...names, ...sentencesIn({ es, spanishLegal })])
const inEnglishOnly = new Set(sentencesIn({ en, englishLegal }).filter((sentence) => !alike.has(sentence)))
const ENGLISH =
  /\b(the|this|your|you|with|and|from|is|are|was|were|have|not|no longer|ago|calls?|credits?|minutes?|unknown|password)\b/i

/** All texts of a page, with aria-labels, placeholders, titles and alt texts. */
async function saidBy(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const said = new Set<string>([document.title])
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const isCode = texts.currentNode.parentElement?.closest('script, style, noscript, title')
      if (!isCode) said.add(texts.currentNode.textContent?.trim() ?? '')
    }
    for (const element of document.querySelectorAll('*'))
      for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
        said.add(element.getAttribute(name)?.trim() ?? '')
    said.delete('')
    return [...said]
  })
}

/** Texts of a page that are still in English. */
async function englishOn(page: Page): Promise<string[]> {
  const said = await saidBy(page)
  return said.filter((text) => inEnglishOnly.has(text) || ENGLISH.test(text))
}

test('a visitor with a Spanish browser registers, makes a call and reads its result in Spanish', async () => {
  const { page, complaints } = await visit(browser, parley.url, SPANISH)
  const email = 'ana.de.lengua@parley.example'
  await page.goto('/')
  await page.getByRole('heading', { level: 1, name: 'Te damos la bienvenida a Parley' }).waitFor()
  await expectTab(page, 'es', 'Una IA que hace tus llamadas · Parley')
  expect(await englishOn(page)).toEqual([])

  await page.getByRole('link', { name: 'Empieza gratis' }).click()
  await page.getByLabel('Nombre completo').fill('Ana Ruiz')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill('corta')
  await page.getByLabel('Confirma la contraseña').fill('corta')
  await press(page, 'Crear cuenta')
  await expectText(page, 'La contraseña debe tener al menos 8 caracteres')
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirma la contraseña').fill(PASSWORD)
  await press(page, 'Crear cuenta')
  await expectText(page, 'Revisa tu correo para verificar tu cuenta.')
  expect(await englishOn(page)).toEqual([])

  const link = await mailedLink(parley.url, email)
  await page.goto('/login')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill('not the password')
  await press(page, 'Iniciar sesión')
  await expectText(page, 'El correo o la contraseña no son correctos.')
  await page.goto(link)
  await expectText(page, '¡Correo verificado!')
  await page.getByRole('link', { name: 'Continuar e iniciar sesión' }).click()
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await press(page, 'Iniciar sesión')
  await page.getByRole('heading', { name: 'Panel', level: 1 }).waitFor()
  await expectTab(page, 'es', 'Panel · Parley')

  await page.getByLabel('Número de teléfono').fill('112')
  await page.getByLabel('Motivo').fill('Reservar una mesa para cuatro')
  await press(page, 'Iniciar llamada')
  await expectText(page, 'No se llama a números de emergencia.')
  await page.getByLabel('Número de teléfono').fill('+1 202 555 0100')
  await page.getByLabel('Objetivos').fill('Mesa a las 7')
  await page.getByLabel('Objetivos').press('Enter')
  await press(page, 'Iniciar llamada')
  await page.getByRole('heading', { name: 'Llamada a +1 202 555 0100' }).waitFor()
  await page.getByRole('log').waitFor()
  await page
    .getByText(/^(Objetivo conseguido|El objetivo no se consiguió)$/)
    .first()
    .waitFor({ timeout: 90_000 })
  await picture(page, 'spanish-outcome', false)
  await page.getByRole('button', { name: 'Cerrar' }).first().click()
  await expectText(page, 'Completada')
  expect(complaints).toEqual([])
}, 240_000)

describe('language switch', () => {
  test('translates the page, keeps typed values and is remembered by the server', async () => {
    const { page, complaints } = await visit(browser, parley.url)
    await page.goto('/register')
    await page.getByRole('heading', { name: 'Create your account' }).waitFor()
    expect(await languageOf(page)).toBe('en')
    await page.getByLabel('Full name').fill('Ana Ruiz')
    await choose(page, 'Page language', 'Español')
    await page.getByRole('heading', { name: 'Crea tu cuenta' }).waitFor()
    await expectTab(page, 'es', 'Crea tu cuenta · Parley')
    expect(await page.getByLabel('Nombre completo').inputValue()).toBe('Ana Ruiz')
    expect(await englishOn(page)).toEqual([])

    const start = await page.goto('/')
    expect(await start?.text()).toContain('<html lang="es">')
    await page.getByRole('link', { name: 'Empieza gratis' }).waitFor()
    await choose(page, 'Idioma de la página', 'English')
    await page.getByRole('link', { name: 'Get Started for Free' }).waitFor()
    await expectTab(page, 'en', 'An AI that makes your phone calls · Parley')
    expect(await (await page.reload())?.text()).toContain('<html lang="en">')
    await page.getByRole('link', { name: 'Get Started for Free' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('keeps English when the catalogue of another language cannot be loaded', async () => {
    const { page } = await visit(browser, parley.url)
    await page.goto('/login')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.context().setOffline(true)
    await choose(page, 'Page language', 'Español')
    expect(await languageOf(page)).toBe('en')
    await page.context().setOffline(false)
    await page.reload()
    await page.getByRole('heading', { name: 'Inicia sesión' }).waitFor()
  })

  test('an English page loads no other catalogue', async () => {
    const { page } = await visit(browser, parley.url)
    const scripts: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.text().catch(() => ''))
    })
    await page.goto('/login')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.waitForLoadState('networkidle')
    const texts = await Promise.all(scripts)
    expect(texts.some((text) => text.includes("Didn't receive verification email?"))).toBe(true)
    expect(texts.filter((text) => text.includes('¿Olvidaste tu contraseña?'))).toEqual([])
  })
})
