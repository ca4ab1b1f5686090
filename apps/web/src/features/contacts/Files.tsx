import { pathOf, type ContactsImport } from '@parley/contract'
import { contactsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { count } from '../../lib/format/format.ts'
import { sentenceOf } from '../../lib/server/http.ts'
import { apiUrl } from '../../lib/platform/index.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { upload } from '../../lib/server/upload.ts'
import { useWords } from '../../words/index.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FileButton } from '../../ui/form/FileButton.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { useContactsChanged } from './api.ts'

const DROPPED_SHOWN = 20

/** Import and export of contacts. */
export default function Files({ onClose }: { readonly onClose: () => void }) {
  const { contacts } = useWords()
  const words = contacts.files
  const { id } = useSignedInUser()
  const changed = useContactsChanged()
  const [progress, setProgress] = useState(0)
  const [stopper, setStopper] = useState<AbortController>()
  const importing = useMutation({
    mutationFn: async (file: File) => {
      const aborter = new AbortController()
      setProgress(0)
      setStopper(aborter)
      const query = { fileName: file.name }
      return upload({
        route: contactsRoutes.import,
        params: { id },
        query,
        file,
        signal: aborter.signal,
        onProgress: setProgress,
      })
    },
    onSuccess: changed,
  })
  const isStopped = importing.error?.name === 'AbortError'
  const exportUrl = (format: 'csv' | 'vcf') => `${apiUrl(pathOf(contactsRoutes.export, { id }))}?format=${format}`
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={words.title} lead={words.lead}>
      <section className="grid grid-cols-1 gap-4">
        <h3 className="font-semibold">{words.import}</h3>
        <div className="flex flex-wrap items-center gap-3">
          <FileButton
            accept=".csv,.vcf"
            label={words.choose}
            pending={importing.isPending}
            onFile={(file) => importing.mutate(file)}
          >
            {words.choose}
          </FileButton>
          {importing.isPending && progress < 1 && (
            <Button variant="quiet" onClick={() => stopper?.abort()}>
              {words.stop}
            </Button>
          )}
        </div>
        {importing.isPending && <Progress label={words.importing} value={progress < 1 ? 100 * progress : null} />}
        {importing.error && !isStopped && <Notice tone="error">{sentenceOf(importing.error, words.failed)}</Notice>}
        {importing.data && <Imported result={importing.data} />}
      </section>
      <section className="mt-6 grid gap-3 border-t border-line pt-5">
        <h3 className="font-semibold">{words.export}</h3>
        <p className="text-sm text-muted">{words.exportHint}</p>
        <div className="flex flex-wrap gap-3">
          {(['csv', 'vcf'] as const).map((format) => (
            <ButtonLink key={format} variant="secondary">
              <a href={exportUrl(format)} download>
                <Download className="size-4" aria-hidden="true" />
                {format === 'csv' ? words.csv : words.vcard}
              </a>
            </ButtonLink>
          ))}
        </div>
      </section>
    </Dialog>
  )
}

function Imported({ result }: { readonly result: ContactsImport }) {
  const { contacts } = useWords()
  const words = contacts.files
  const { added, changed, dropped } = result
  return (
    <>
      <Notice tone="success">{words.imported(count(added), count(changed))}</Notice>
      {dropped.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer font-medium">
            {words.dropped(dropped.length, count(dropped.length))}
          </summary>
          <ul className="mt-2 grid gap-1 text-muted">
            {dropped.slice(0, DROPPED_SHOWN).map(({ row, name, phone, code }) => (
              <li key={row}>
                {words.row(row, name || phone || words.nameless, contacts.reasons[code] ?? contacts.otherReason)}
              </li>
            ))}
            {dropped.length > DROPPED_SHOWN && <li>{words.andMore(count(dropped.length - DROPPED_SHOWN))}</li>}
          </ul>
        </details>
      )}
    </>
  )
}
