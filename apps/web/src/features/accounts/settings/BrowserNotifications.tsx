import { setNotifying, useNotifying } from '../../../lib/live/notifications.ts'
import { platform } from '../../../lib/platform/index.ts'
import { useWords } from '../../../words/index.ts'
import { Switch } from '../../../ui/form/Switch.tsx'

/** Stored in this browser and effective at once; not saved with the settings. */
export function BrowserNotifications() {
  const { notifications } = useWords().shell
  const { hint, denied } = notifications[platform().notices.where]
  const now = useNotifying()
  if (now === 'unsupported') return null
  return (
    <Switch
      label={notifications.label}
      hint={now === 'denied' ? denied : hint}
      checked={now === 'on'}
      disabled={now === 'denied'}
      onCheckedChange={setNotifying}
    />
  )
}
