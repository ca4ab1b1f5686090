/** Unwraps {"value": …, "private": …}; with `private: false` it is a plain value. */
export function markOf(value: unknown): { readonly value: unknown; readonly isPrivate: boolean } | undefined {
  if (typeof value !== 'object' || value === null || !('value' in value) || !('private' in value)) return undefined
  const { private: mark } = value
  const isPlain =
    mark === false ||
    mark === null ||
    mark === 0 ||
    (typeof mark === 'string' && /^(?:false|no|0|)$/i.test(mark.trim()))
  return { value: value.value, isPrivate: !isPlain }
}
