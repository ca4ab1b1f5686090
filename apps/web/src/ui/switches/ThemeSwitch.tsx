import { Monitor, Moon, Sun } from 'lucide-react'
import { setTheme, useTheme, type Theme } from '../../lib/theme.ts'
import { useFrontWords } from '../../words/front.ts'

const THEMES = [
  { theme: 'system', Icon: Monitor },
  { theme: 'light', Icon: Sun },
  { theme: 'dark', Icon: Moon },
] as const satisfies readonly { theme: Theme; Icon: unknown }[]

export function ThemeSwitch() {
  const chosen = useTheme()
  const { shell } = useFrontWords()
  return (
    <fieldset className="inline-flex rounded-full border border-line bg-surface p-0.5">
      <legend className="sr-only">{shell.theme}</legend>
      {THEMES.map(({ theme, Icon }) => (
        <label
          key={theme}
          title={shell.themes[theme]}
          className="relative grid size-8 cursor-pointer place-items-center rounded-full text-muted hover:text-ink has-checked:bg-mint has-checked:text-brand has-focus-visible:outline-2 has-focus-visible:outline-brand"
        >
          <input
            type="radio"
            name="theme"
            className="absolute inset-0 cursor-pointer opacity-0"
            checked={theme === chosen}
            onChange={() => setTheme(theme)}
          />
          <Icon className="size-4" aria-hidden="true" />
          <span className="sr-only">{shell.themes[theme]}</span>
        </label>
      ))}
    </fieldset>
  )
}
