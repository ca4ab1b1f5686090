import { LANGUAGES, spokenLanguage, type Language } from '@parley/contract'
import { StrictMode, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { Frame } from './app/shell/Frame.tsx'
import Front from './app/screens/Front.tsx'
import { HEADED_PATHS } from './lib/heads.ts'
import { speak } from './lib/language.ts'
import { frontWords } from './words/front.ts'
import { words } from './words/index.ts'

/** Renders a page to HTML in a language: the landing page (build/landing.ts), or a screen's frame (build/frames.ts). */
export const { pages, frames } = await rendered()

async function rendered() {
  const made = { pages: [] as unknown[], frames: [] as unknown[] }
  for (const tag of Object.keys(LANGUAGES)) {
    const language = spokenLanguage([tag])
    // One language at a time: the language is global state.
    await speak(language)
    made.pages.push(landing(language))
    made.frames.push(...HEADED_PATHS.map((path) => ({ ...page(language, path, <Frame path={path} />), path })))
  }
  return made
}

function landing(language: Language) {
  return { ...page(language, '/', <Front />), description: frontWords().landing.description }
}

function page(language: Language, path: keyof ReturnType<typeof words>['titles'], content: ReactNode) {
  const { shell, titles } = words()
  return {
    language,
    title: shell.documentTitle(titles[path]),
    html: renderToString(<StrictMode>{content}</StrictMode>),
  }
}
