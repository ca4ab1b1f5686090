import { useEffect, useState } from 'react'
import { platform } from '../../../lib/platform/index.ts'
import { useWords } from '../../../words/index.ts'
import { Switch } from '../../../ui/form/Switch.tsx'
import { Section } from './Section.tsx'

/** The phone's own lock in front of the app; stored on this phone and effective at once. */
export default function LockSwitch() {
  const { phone } = useWords().shell
  const { lock } = platform()
  const [isOn, setOn] = useState(() => lock?.isOn() ?? false)
  const [isAvailable, setAvailable] = useState(true)
  useEffect(() => void lock?.isAvailable().then(setAvailable), [lock])
  // Also to turn it off: whoever found the phone open must not.
  const change = async (on: boolean) => {
    if (!(await lock?.unlock(phone.lockReason))) return
    await lock?.setOn(on)
    setOn(on)
  }
  return (
    <Section title={phone.lockTitle} lead={phone.lockLead}>
      <Switch
        label={phone.lock}
        hint={isAvailable ? phone.lockHint : phone.lockMissing}
        checked={isOn}
        disabled={!isAvailable && !isOn}
        onCheckedChange={(on) => void change(on)}
      />
    </Section>
  )
}
