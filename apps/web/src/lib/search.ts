import { useNavigate, useSearch } from '@tanstack/react-router'

/** A query parameter as text. */
export function useSearchParam(name: string): string | undefined {
  const search = useSearch({ strict: false })
  return search[name]
}

/** Clears the query without a history entry. */
export function useClearSearch(): () => void {
  const navigate = useNavigate()
  return () => void navigate({ to: '.', search: {}, replace: true })
}
