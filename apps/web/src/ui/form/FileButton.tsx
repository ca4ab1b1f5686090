import { Upload } from 'lucide-react'
import { useRef, type ReactNode } from 'react'
import { Button } from '../Button.tsx'

interface FileButtonProps {
  /** File extensions: .csv,.json */
  readonly accept: string
  readonly label: string
  readonly children: ReactNode
  readonly onFile: (file: File) => void
  readonly pending?: boolean
  readonly variant?: 'primary' | 'secondary'
}

/** A button that opens a file chooser. The same file can be chosen again after a correction. */
export function FileButton({
  accept,
  label,
  children,
  onFile,
  pending = false,
  variant = 'secondary',
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) onFile(file)
        }}
      />
      <Button
        variant={variant}
        pending={pending}
        icon={<Upload className="size-4" aria-hidden="true" />}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
    </>
  )
}
