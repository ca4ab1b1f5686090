import { LANGUAGES, spokenLanguage } from '@parley/contract'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import Landing from './features/accounts/landing/Landing.tsx'
import { speak } from './lib/language.ts'
import { frontWords } from './lib/words/front.ts'

/** The landing page as text in every language, for landing.html and its translations; see build/landing.ts. */
export const pages = await rendered(Object.keys(LANGUAGES))

async function rendered([tag, ...others]: readonly string[]): Promise<unknown[]> {
  if (tag === undefined) return []
  const language = spokenLanguage([tag])
  await speak(language)
  const { landing, shell, titles } = frontWords()
  const html = renderToString(
    <StrictMode>
      <Landing />
    </StrictMode>,
  )
  const page = { language, title: shell.documentTitle(titles['/']), description: landing.description, html }
  return [page, ...(await rendered(others))]
}
