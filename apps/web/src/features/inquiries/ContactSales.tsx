import { useState } from 'react'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { InquiryDialog } from './InquiryDialog.tsx'

/** The enterprise offer below the packages. */
export function ContactSales() {
  const { sales } = useWords().credits
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section
      aria-labelledby="enterprise"
      className="flex flex-wrap items-center justify-between gap-4 rounded-base border border-line bg-surface px-5 py-4 shadow-soft sm:px-6"
    >
      <div>
        <h2 id="enterprise" className="font-medium">
          {sales.title}
        </h2>
        <p className="text-muted">{sales.text}</p>
      </div>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        {sales.contact}
      </Button>
      <InquiryDialog open={isOpen} onOpenChange={setIsOpen} />
    </section>
  )
}
