import { LanguageSwitch } from './LanguageSwitch.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'

/** Language and theme switches, on every screen. */
export function Switches() {
  return (
    <div className="flex items-center justify-between gap-1.5">
      <LanguageSwitch />
      <ThemeSwitch />
    </div>
  )
}
