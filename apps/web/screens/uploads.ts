import { onTestFinished } from 'vitest'

// Files on their way to the server: XMLHttpRequest carries them, and the server that `serve` began takes them.

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
  #order: readonly [method: string, url: string] = ['', '']
  #isStopped = false

  open(method: string, url: string): void {
    this.#order = [method, url]
  }

  setRequestHeader(): void {
    // Nothing here depends on what kind of file it is said to be.
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
      this.#tell(file, halt.share)
      await halt.over
    }
    if (this.#isStopped) return
    this.#tell(file, 1)
    const [method, url] = this.#order
    const answer = await fetch(url, { method, body: file }).catch(() => undefined)
    const text = await answer?.text()
    if (this.#isStopped) return
    if (answer) Object.assign(this, { status: answer.status, statusText: answer.statusText, responseText: text })
    this.dispatchEvent(new Event(answer ? 'load' : 'error'))
  }

  #tell({ size }: Blob, share: number): void {
    this.upload.dispatchEvent(
      new ProgressEvent('progress', { lengthComputable: true, loaded: share * size, total: size }),
    )
  }
}

/** From now on and until the test ends, files reach the server. */
export function carryFiles(): void {
  const real = globalThis.XMLHttpRequest
  Object.assign(globalThis, { XMLHttpRequest: FakeUpload })
  onTestFinished(() => {
    halt = undefined
    Object.assign(globalThis, { XMLHttpRequest: real })
  })
}

/** Files come so far, a share of 1, and stay there until they are let go. */
export function haltFiles(share: number): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  halt = { share, over: promise }
  return () => {
    halt = undefined
    resolve(undefined)
  }
}
