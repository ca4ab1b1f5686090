import { FRAME_BYTES, type Frame, silentFrame } from '@parley/voice-ports'

const BLOCK_FRAMES = 32
/** 11 MB: what 400 calls need that hear a long sentence at the same time. */
const SPARE_BLOCKS_MAX = 2048

class Block {
  readonly #audio = new Uint8Array(BLOCK_FRAMES * FRAME_BYTES)
  /** Frames that are not whole, or have words, by their slots. */
  readonly #others = new Map<number, { readonly length: number; readonly text: string | undefined }>()
  /** A bit for each slot. */
  #silent = 0

  /** Copied: thousands of frames that live for a second each would keep the garbage collector busy. */
  put(slot: number, audio: Uint8Array, text: string | undefined): void {
    this.#audio.set(audio, slot * FRAME_BYTES)
    if (text !== undefined || audio.length !== FRAME_BYTES) this.#others.set(slot, { length: audio.length, text })
  }

  putSilence(slot: number): void {
    this.#silent |= 1 << slot
  }

  frame(slot: number): Frame {
    if ((this.#silent & (1 << slot)) !== 0) return silentFrame()
    const { length, text } = this.#others.get(slot) ?? { length: FRAME_BYTES, text: undefined }
    const audio = this.#audio.slice(slot * FRAME_BYTES, slot * FRAME_BYTES + length)
    return text === undefined ? { audio } : { audio, text }
  }

  /** For the frames of another call. */
  clear(): void {
    this.#silent = 0
    if (this.#others.size > 0) this.#others.clear()
  }
}

/** Blocks that no call needs now: those of a long sentence are needed for as long as it lasts. */
const spare: Block[] = []

function unused(): Block {
  const block = spare.pop() ?? new Block()
  block.clear()
  return block
}

/** The latest frames of the callee, for an ear that has to hear them again. */
export class Replay {
  readonly #most: number
  /** The first holds the oldest frame that is kept. */
  readonly #blocks: Block[] = []
  /** The last of them, at hand for each frame. */
  #latest: Block | null = null
  /** Frames that were ever pushed, and those of them that are gone. */
  #pushed = 0
  #gone = 0

  /** `most`: frames that are kept at most; the oldest go first. */
  constructor(most: number) {
    this.#most = most
  }

  /** Frames that are kept. */
  get length(): number {
    return this.#pushed - this.#gone
  }

  /** Frames that were kept and are gone. */
  get before(): number {
    return this.#gone
  }

  push({ audio, text }: Frame): void {
    // A frame is 20 ms; a longer one could not be replayed.
    const bytes = audio.length > FRAME_BYTES ? audio.subarray(0, FRAME_BYTES) : audio
    this.#block().put(this.#pushed++ % BLOCK_FRAMES, bytes, text)
    this.keep(this.#most)
  }

  /** 20 ms without sound. */
  pushSilence(): void {
    this.#block().putSilence(this.#pushed++ % BLOCK_FRAMES)
    this.keep(this.#most)
  }

  /** That of the next frame. */
  #block(): Block {
    if (this.#latest && this.#pushed % BLOCK_FRAMES !== 0) return this.#latest
    const block = unused()
    this.#latest = block
    this.#blocks.push(block)
    return block
  }

  /** Drops the oldest until `kept` are left. */
  keep(kept: number): void {
    this.dropUntil(this.#pushed - kept)
  }

  /** Drops the frames before the one of this number, counted from the first that was ever pushed. */
  dropUntil(count: number): void {
    const gone = Math.min(this.#pushed, count)
    if (gone <= this.#gone) return
    const blocks = Math.floor(gone / BLOCK_FRAMES) - Math.floor(this.#gone / BLOCK_FRAMES)
    this.#gone = gone
    if (blocks > 0) spare.push(...this.#blocks.splice(0, blocks).slice(0, SPARE_BLOCKS_MAX - spare.length))
  }

  /** Copies of the kept frames, the oldest first. */
  all(): Frame[] {
    return Array.from({ length: this.length }, (_, index) => {
      const { block, slot } = this.#place(index)
      if (!block) throw new RangeError(`Frame ${index} of ${this.length} is not kept.`)
      return block.frame(slot)
    })
  }

  #place(index: number): { readonly block: Block | undefined; readonly slot: number } {
    const at = (this.#gone % BLOCK_FRAMES) + index
    return { block: this.#blocks[Math.floor(at / BLOCK_FRAMES)], slot: at % BLOCK_FRAMES }
  }
}
