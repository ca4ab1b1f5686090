import { setNotifying, useNotifying, useReachesClosed } from '../../../lib/live/notifications.ts'
import { platform } from '../../../lib/platform/index.ts'
import { useWords } from '../../../words/index.ts'
import { Switch } from '../../../ui/form/Switch.tsx'

/** Stored on this device and effective at once; not saved with the settings. */
export function DeviceNotifications() {
  const { notifications } = useWords().shell
  const { where } = platform()
  const { label, hint, denied } = notifications[where]
  const now = useNotifying()
  const reachesClosed = useReachesClosed()
  if (now === 'unsupported') return null
  const isOfOpenApp = where === 'phone' && now === 'on' && reachesClosed === false
  return (
    <Switch
      label={label}
      hint={now === 'denied' ? denied : isOfOpenApp ? notifications.openAppOnly : hint}
      checked={now === 'on'}
      disabled={now === 'denied'}
      onCheckedChange={setNotifying}
    />
  )
}
