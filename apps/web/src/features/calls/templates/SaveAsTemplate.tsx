import { BookmarkPlus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../../../lib/lazyComponent.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Manner } from '../placing/callForm.ts'

const SaveTemplate = lazyComponent(async () => ({ default: (await import('./SaveTemplate.tsx')).SaveTemplate }))

interface SaveAsTemplateProps {
  /** The content to save; undefined if it has errors, which were already shown. */
  readonly manner: () => Manner | undefined
  readonly variant?: 'secondary' | 'quiet'
  readonly size?: 'small' | 'medium' | 'large'
  readonly className?: string
}

/** Saves the form as a template. */
export function SaveAsTemplate({ manner, variant = 'secondary', size = 'medium', className }: SaveAsTemplateProps) {
  const { templates } = useWords()
  const [kept, setKept] = useState<Manner>()
  return (
    <>
      <Button
        variant={variant}
        size={size}
        {...(className && { className })}
        icon={<BookmarkPlus className="size-4" aria-hidden="true" />}
        onClick={() => setKept(manner())}
      >
        {templates.save}
      </Button>
      {kept && (
        <Suspense>
          <SaveTemplate manner={kept} onClose={() => setKept(undefined)} />
        </Suspense>
      )}
    </>
  )
}
