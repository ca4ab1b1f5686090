import { useWords } from '../../words/index.ts'

export function OrDivider() {
  const { accounts } = useWords()
  return (
    <div className="my-6 flex items-center gap-4 text-sm text-muted">
      <span className="h-px flex-1 bg-line" />
      {accounts.or}
      <span className="h-px flex-1 bg-line" />
    </div>
  )
}
