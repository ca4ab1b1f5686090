import { useWords } from '../lib/words/index.ts'
import { Button } from '../ui/Button.tsx'

/** The last net: a screen threw, or its code could not be loaded. */
export function Crash() {
  const { common } = useWords()
  return (
    <main className="mx-auto grid min-h-dvh max-w-lg content-center gap-3 px-6" role="alert">
      <h1 className="text-xl font-semibold">{common.crashed}</h1>
      <p className="text-muted">{common.crashedHint}</p>
      <div className="mt-3">
        <Button onClick={() => location.reload()}>{common.reload}</Button>
      </div>
    </main>
  )
}
