import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it } from 'vitest'
import { speak } from '../../../lib/language.ts'
import { aCall, aTurn } from '../testing.ts'
import { Words } from './CallDialog.tsx'

afterEach(() => speak('en'))

const turns = [aTurn(0, 'May I record this?', 900), aTurn(1, 'No, do not record me.', 1900)]
const shown = (wordsKeptUntil: string | null) =>
  renderToStaticMarkup(
    <Words call={aCall({ status: 'completed', turns, wordsKeptUntil })} jump={undefined} />,
  ).replaceAll(/<[^>]+>/g, '|')

it('a transcript cut because the callee refused recording says so after its last turn', async () => {
  expect(shown('2026-11-21T09:00:00.000Z')).toMatch(
    /do not record me\..*did not want to be recorded.*nothing that was said from here on is kept/,
  )
  await speak('es')
  expect(shown('2026-11-21T09:00:00.000Z')).toContain('no se guarda nada de lo que se dijo a partir de aquí')
})

it('a complete transcript shows no such notice', () => {
  expect(shown(null)).not.toContain('did not want to be recorded')
})
