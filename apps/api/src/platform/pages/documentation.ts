import type { Route } from '@parley/contract'
import { docsPage } from './docs-page.ts'
import { openApiOf } from './openapi.ts'

/**
 * The OpenAPI document of routes, and the page that shows it. Each is made when it is first asked for, which takes a
 * tenth of a second, and kept.
 */
export class Documentation {
  readonly #routes: readonly Route[]
  readonly #version: string
  #openApi: Record<string, unknown> | undefined
  #page: string | undefined

  constructor(routes: readonly Route[], version: string) {
    this.#routes = routes
    this.#version = version
  }

  openApi(serverUrl: string): Record<string, unknown> {
    return { ...this.#document(), servers: [{ url: serverUrl }] }
  }

  page(): string {
    this.#page ??= docsPage(this.#document())
    return this.#page
  }

  #document(): Record<string, unknown> {
    this.#openApi ??= openApiOf(this.#routes, this.#version)
    return this.#openApi
  }
}
