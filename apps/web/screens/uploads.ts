import { onTestFinished } from 'vitest'

// A fake XMLHttpRequest that uploads files to the fake server.

interface Halt {
  readonly share: number
  readonly over: Promise<undefined>
}

let halt: Halt | undefined

class FakeUpload extends EventTarget {
  readonly upload = new EventTarget()
  withCredentials = false
  status = 0
  statusText = ''
  responseText = ''
  #request: readonly [method: string, url: string] = ['', '']
  #isStopped = false

  open(method: string, url: string): void {
    this.#request = [method, url]
  }

  setRequestHeader(): void {
    // Headers do not matter here.
  }

  abort(): void {
    this.#isStopped = true
    this.dispatchEvent(new Event('abort'))
  }

  send(file: Blob): void {
    void this.#carry(file)
  }

  async #carry(file: Blob): Promise<void> {
    if (halt) {
      this.#reportProgress(file, halt.share)
      await halt.over
    }
    if (this.#isStopped) return
    this.#reportProgress(file, 1)
    const [method, url] = this.#request
    const answer = await fetch(url, { method, body: file }).catch(() => undefined)
    const text = await answer?.text()
    if (this.#isStopped) return
    if (answer) Object.assign(this, { status: answer.status, statusText: answer.statusText, responseText: text })
    this.dispatchEvent(new Event(answer ? 'load' : 'error'))
  }

  #reportProgress({ size }: Blob, share: number): void {
    this.upload.dispatchEvent(
      new ProgressEvent('progress', { lengthComputable: true, loaded: share * size, total: size }),
    )
  }
}

/** Sends uploads to the fake server until the test ends. */
export function carryFiles(): void {
  const real = globalThis.XMLHttpRequest
  Object.assign(globalThis, { XMLHttpRequest: FakeUpload })
  onTestFinished(() => {
    halt = undefined
    Object.assign(globalThis, { XMLHttpRequest: real })
  })
}

/** Stops uploads at this share (0 to 1) until released. */
export function haltFiles(share: number): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  halt = { share, over: promise }
  return () => {
    halt = undefined
    resolve(undefined)
  }
}
