import { useWords } from '../words/index.ts'
import { Button } from '../ui/Button.tsx'

/** Error boundary of last resort: a screen threw, or its code could not be loaded. */
export function Crash() {
  const { common } = useWords()
  return (
    <main className="mx-auto grid min-h-screen-safe max-w-lg content-center gap-6 px-6">
      <div role="alert" className="grid gap-3">
        <h1 className="text-xl font-semibold">{common.crashed}</h1>
        <p className="text-muted">{common.crashedHint}</p>
      </div>
      <div>
        <Button onClick={() => location.reload()}>{common.reload}</Button>
      </div>
    </main>
  )
}
