import { useNavigate, useSearch } from '@tanstack/react-router'

/** A query parameter of the address, as text. */
export function useSearchParam(name: string): string | undefined {
  const search = useSearch({ strict: false })
  return search[name]
}

/** Takes the query out of the address, without a step in the history. */
export function useClearSearch(): () => void {
  const navigate = useNavigate()
  return () => void navigate({ to: '.', search: {}, replace: true })
}
