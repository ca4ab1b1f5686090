import { useMutation } from '@tanstack/react-query'
import { BookUser } from 'lucide-react'
import { platform, type PickedContact } from '../../lib/platform/index.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../Button.tsx'
import { Notice } from '../Notice.tsx'

/** Opens the phone's own contacts. Load it only where there are any: platform().pickContact. */
export default function PickContact({ onPick }: { readonly onPick: (picked: PickedContact) => void }) {
  const { phone } = useWords().shell
  const picking = useMutation({
    // The phone's contacts need no network.
    networkMode: 'always',
    mutationFn: async () => platform().pickContact?.(),
    onSuccess: (picked) => picked && onPick(picked),
  })
  return (
    <div className="grid justify-items-start gap-3">
      <Button
        variant="secondary"
        size="small"
        icon={<BookUser className="size-4" aria-hidden="true" />}
        pending={picking.isPending}
        onClick={() => picking.mutate()}
      >
        {phone.pick}
      </Button>
      {picking.isError && <Notice tone="error">{phone.pickFailed}</Notice>}
    </div>
  )
}
