import { setNotifying, useNotifying } from '../../../lib/live/notifications.ts'
import { useWords } from '../../../words/index.ts'
import { Switch } from '../../../ui/form/Switch.tsx'

/** Stored in this browser and effective at once; not saved with the settings. */
export function BrowserNotifications() {
  const { notifications } = useWords().shell
  const now = useNotifying()
  if (now === 'unsupported') return null
  return (
    <Switch
      label={notifications.label}
      hint={now === 'denied' ? notifications.denied : notifications.hint}
      checked={now === 'on'}
      disabled={now === 'denied'}
      onCheckedChange={setNotifying}
    />
  )
}
