import { creditsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { request } from '../../lib/server/http.ts'
import { onSubmitTexts } from '../../lib/form.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Input, Textarea } from '../../ui/form/Input.tsx'
import { Notice } from '../../ui/Notice.tsx'

const NAMES = ['companyName', 'contactName', 'email', 'phone', 'requirements'] as const
type Inquiry = Record<(typeof NAMES)[number], string>

interface InquiryDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

export function InquiryDialog({ open, onOpenChange }: InquiryDialogProps) {
  const { enterprise } = useWords().credits
  const sending = useMutation({ mutationFn: async (body: Inquiry) => request(creditsRoutes.enterprise, { body }) })
  const change = (next: boolean) => {
    if (!next) sending.reset()
    onOpenChange(next)
  }
  return (
    <Dialog open={open} onOpenChange={change} title={enterprise.title} lead={enterprise.lead}>
      {sending.isSuccess ? (
        <Sent onClose={() => change(false)} />
      ) : (
        <InquiryForm
          pending={sending.isPending}
          failed={sending.isError}
          onSubmit={(inquiry) => sending.mutate(inquiry)}
        />
      )}
    </Dialog>
  )
}

function Sent({ onClose }: { readonly onClose: () => void }) {
  const { common, credits } = useWords()
  const { enterprise } = credits
  return (
    <>
      <Notice tone="success">
        <p className="font-semibold">{enterprise.sentTitle}</p>
        <p>{enterprise.sent}</p>
      </Notice>
      <Button className="mt-5 w-full" onClick={onClose}>
        {common.close}
      </Button>
    </>
  )
}

interface InquiryFormProps {
  readonly pending: boolean
  readonly failed: boolean
  readonly onSubmit: (inquiry: Inquiry) => void
}

function InquiryForm({ pending, failed, onSubmit }: InquiryFormProps) {
  const { enterprise } = useWords().credits
  return (
    <form onSubmit={onSubmitTexts(NAMES, onSubmit)} className="grid gap-4">
      <Field label={enterprise.company}>
        <Input name="companyName" required maxLength={200} autoComplete="organization" />
      </Field>
      <Field label={enterprise.contact}>
        <Input name="contactName" required maxLength={200} autoComplete="name" />
      </Field>
      <Field label={enterprise.email}>
        <Input name="email" type="email" inputMode="email" required maxLength={254} autoComplete="email" />
      </Field>
      <Field label={enterprise.phone} optional>
        <Input name="phone" type="tel" inputMode="tel" maxLength={40} autoComplete="tel" />
      </Field>
      <Field label={enterprise.requirements} hint={enterprise.requirementsHint} optional>
        <Textarea name="requirements" maxLength={5000} />
      </Field>
      {failed && <Notice tone="error">{enterprise.failed}</Notice>}
      <Button type="submit" pending={pending}>
        {pending ? enterprise.submitting : enterprise.submit}
      </Button>
    </form>
  )
}
