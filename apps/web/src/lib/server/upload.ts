import { pathOf, type Parsed, type RouteReference } from '@parley/contract'
import { HttpError } from './http.ts'
import { apiUrl, platform } from '../platform/index.ts'

type Shape = RouteReference['body']

interface Upload<P extends Shape, Q extends Shape, B extends Shape, R extends Shape> {
  readonly route: RouteReference<P, Q, B, R>
  readonly params?: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly file: Blob
  readonly signal?: AbortSignal
  /** Upload progress from 0 to 1. */
  readonly onProgress?: (share: number) => void
}

/** Uploads a file unchanged. Only XMLHttpRequest reports upload progress. */
export function upload<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  input: Upload<P, Q, B, R>,
): Promise<Parsed<R>> {
  const { route, params = {}, query, file, signal, onProgress } = input
  const { promise, resolve, reject } = Promise.withResolvers<Parsed<R>>()
  const request = new XMLHttpRequest()
  request.open(route.method, apiUrl(`${pathOf(route, params)}?${new URLSearchParams(query).toString()}`))
  request.withCredentials = platform().credentials === 'include'
  for (const [name, value] of Object.entries(platform().headers())) request.setRequestHeader(name, value)
  request.setRequestHeader('Content-Type', 'application/octet-stream')
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0))
  request.addEventListener('load', () => {
    const { status, statusText, responseText } = request
    if (status < 200 || status > 299) reject(new HttpError(status, statusText, responseText))
    // Not parsed: the server's tests hold it to the contract.
    else resolve(JSON.parse(responseText) as Parsed<R>)
  })
  request.addEventListener('error', () => reject(new Error('The file could not be sent')))
  request.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')))
  signal?.addEventListener('abort', () => request.abort())
  request.send(file)
  return promise
}
