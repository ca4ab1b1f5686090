import { LANGUAGES, spokenLanguage } from '@parley/contract'
import { ChevronDown } from 'lucide-react'
import { chooseLanguage, useLanguage } from '../../lib/language.ts'
import { useFrontWords } from '../../words/front.ts'

/** Each language by its own name, for users who cannot read the current one. */
export function LanguageSwitch() {
  const chosen = useLanguage()
  const { shell } = useFrontWords()
  return (
    <span className="relative inline-flex h-9 items-center rounded-full border border-line bg-surface text-sm text-muted has-focus-visible:outline-2 has-focus-visible:outline-brand hover:text-ink">
      <select
        aria-label={shell.language}
        value={chosen}
        onChange={({ target }) => void chooseLanguage(spokenLanguage([target.value]))}
        className="h-full cursor-pointer appearance-none rounded-full bg-transparent pr-7 pl-3 outline-none max-[22rem]:px-2.5"
      >
        {Object.entries(LANGUAGES).map(([language, name]) => (
          <option key={language} value={language} lang={language} className="bg-surface text-ink">
            {name}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute right-2 size-4 max-[22rem]:hidden" aria-hidden="true" />
    </span>
  )
}
