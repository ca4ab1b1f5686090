import type { FarItem } from '../script.ts'
import { type GivenItem, Refusal } from './wire.ts'

export interface Item {
  readonly id: string
  readonly from: FarItem['from']
  readonly isSound: boolean
  /** Of a function call. */
  readonly callId: string | null
  readonly name: string | null
  text: string
  /** Of the model's sound, as much as there is. */
  soundMs: number
  /** The client cut it here. */
  truncatedMs: number | null
}

/** The items of one session, in order. */
export class Conversation {
  #items: Item[] = []
  #ids = 0

  get items(): readonly Item[] {
    return this.#items
  }

  newId(): string {
    return `item_${++this.#ids}`
  }

  /** Returns what stands before it. */
  add(item: Item, previousId?: string): string | null {
    if (this.#items.some(({ id }) => id === item.id))
      throw new Refusal(`Item with item_id '${item.id}' already exists.`, 'item_create_duplicate_item_id')
    if (previousId === 'root') this.#items.unshift(item)
    else if (previousId === undefined) this.#items.push(item)
    else this.#items.splice(this.#indexOf(previousId, 'item_create_invalid_previous_item_id') + 1, 0, item)
    return this.#items[this.#items.indexOf(item) - 1]?.id ?? null
  }

  create(given: GivenItem, previousId?: string): { readonly item: Item; readonly previous: string | null } {
    const item = this.made(given)
    return { item, previous: this.add(item, previousId) }
  }

  made(given: GivenItem): Item {
    const own = { id: given.id ?? this.newId(), isSound: false, name: null, soundMs: 0, truncatedMs: null }
    if (given.type === 'function_call_output') {
      if (!this.#items.some(({ callId, name }) => callId === given.call_id && name !== null))
        throw new Refusal(`No function call with call_id '${given.call_id}' was found.`, 'invalid_function_call_output')
      return { ...own, from: 'tool', callId: given.call_id, text: given.output }
    }
    const wanted = given.role === 'assistant' ? 'output_text' : 'input_text'
    const texts = given.content.map((part) => {
      if (part.type !== wanted)
        throw new Refusal(`Invalid value: '${part.type}'. Supported values are: '${wanted}'.`, 'invalid_value')
      return part.text
    })
    const from = { system: 'system', user: 'callee', assistant: 'agent' } as const
    return { ...own, from: from[given.role], callId: null, text: texts.join(' ') }
  }

  delete(id: string): void {
    this.#items.splice(this.#indexOf(id, 'item_delete_invalid_item_id'), 1)
  }

  truncate(id: string, endMs: number): void {
    const item = this.#items[this.#indexOf(id, 'item_truncate_invalid_item_id')]
    if (!item || item.from !== 'agent' || !item.isSound || item.soundMs === 0)
      throw new Refusal('Only model output audio messages can be truncated', 'unsupported_content_type')
    if (endMs > item.soundMs) throw new Refusal(`Audio content of ${item.soundMs}ms is already shorter than ${endMs}ms`)
    item.soundMs = endMs
    item.truncatedMs = endMs
    item.text = ''
  }

  #indexOf(id: string, code: string): number {
    const index = this.#items.findIndex((item) => item.id === id)
    if (index < 0) throw new Refusal(`Item with item_id '${id}' was not found.`, code)
    return index
  }
}

/** As the vendor shows an item in its events. */
export function shown({ id, from, isSound, callId, name, text }: Item): object {
  const own = { id, object: 'realtime.item', status: 'completed' }
  if (from === 'tool') return { ...own, type: 'function_call_output', call_id: callId, output: text }
  if (name !== null) return { ...own, type: 'function_call', call_id: callId, name, arguments: text }
  const role = { system: 'system', callee: 'user', agent: 'assistant' }[from]
  const way = from === 'agent' ? 'output' : 'input'
  const part = isSound ? { type: `${way}_audio`, transcript: text } : { type: `${way}_text`, text }
  return { ...own, type: 'message', role, content: [part] }
}
