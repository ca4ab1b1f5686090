import { LayoutTemplate } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../../../lib/lazyComponent.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Sheet } from '../../../ui/Dialog.tsx'
import { Skeleton } from '../../../ui/states.tsx'
import type { Manner } from '../placing/callForm.ts'

const Templates = lazyComponent(async () => ({ default: (await import('./Templates.tsx')).Templates }))

interface TemplatePickerProps {
  readonly onUse: (manner: Manner) => void
  readonly className?: string
}

/** Opens the templates in a panel; choosing one fills the form. */
export function TemplatePicker({ onUse, className }: TemplatePickerProps) {
  const { templates } = useWords()
  const [open, setOpen] = useState(false)
  const choose = (manner: Manner) => {
    setOpen(false)
    // The closing panel returns the focus to its button; the form takes it afterwards.
    setTimeout(() => onUse(manner))
  }
  return (
    <>
      <Button
        variant="secondary"
        size="small"
        {...(className && { className })}
        icon={<LayoutTemplate className="size-4" aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        {templates.open}
      </Button>
      <Sheet side="right" open={open} onOpenChange={setOpen} title={templates.title} lead={templates.lead}>
        <Suspense fallback={<Skeleton className="h-64 rounded-base" />}>
          <Templates onUse={choose} />
        </Suspense>
      </Sheet>
    </>
  )
}
