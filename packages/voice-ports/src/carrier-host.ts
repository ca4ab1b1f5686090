import type { Buffer } from 'node:buffer'

/** A request of the carrier to us. Its signature covers the URL and the body as they were sent. */
export interface CarrierRequest {
  /** The public URL with the path and the query, as the carrier called it. */
  readonly rawUrl: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
  /** The body as application/x-www-form-urlencoded; empty where it is none. */
  form(): URLSearchParams
}

export interface CarrierReply {
  readonly status: number
  /** Content type of the body. */
  readonly type?: string
  readonly body?: string
}

/** A WebSocket of the carrier to us. */
export interface CarrierSocket {
  /** Bytes that were sent and have not left yet. */
  readonly unsentBytes: number
  send(message: string | Uint8Array): void
  close(code?: number, reason?: string): void
  onMessage(listener: (message: string | Buffer) => void): void
  /** Also runs after a broken connection, once. */
  onClose(listener: () => void): void
}

/** The part of the voice service that a carrier may use for callbacks and media. */
export interface CarrierHost {
  /** Where the carrier reaches this node, without a slash at its end (PUBLIC_VOICE_URL); null: nowhere. */
  readonly publicUrl: string | null
  /** `path` as Fastify takes it. The handler checks the request's signature. */
  route(
    method: 'GET' | 'POST',
    path: string,
    handler: (request: CarrierRequest) => CarrierReply | Promise<CarrierReply>,
  ): void
  /**
   * Lets one WebSocket in, once. The last segment of the path is a token of at least 16 characters that nobody can
   * guess; query strings are ignored, since not every carrier passes them on. Returns the withdrawal.
   * @throws when the path has no such token or too many sockets are awaited
   */
  socket(path: string, handler: (socket: CarrierSocket) => void): () => void
}
