import type { ModelFinish, ModelRequest, WireFormat } from './shapes.ts'

/** Writes an answer as one vendor's events. */
export interface Writer {
  begin(): string
  text(delta: string): string
  thought(delta: string): string
  call(name: string, input: string): string
  end(finish: ModelFinish, usage: { readonly input: number; readonly output: number }): string
}

export function writerFor({ wire, model, tools }: ModelRequest): Writer {
  // Where a schema is asked for as a tool, the answer is its input.
  const isJsonTool = wire === 'anthropic' && tools.includes('json')
  const writer = { openai: openAi, anthropic, google }[wire](model)
  return isJsonTool ? { ...writer, text: (delta) => writer.call('json', delta) } : writer
}

const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const event = (type: string, value: object): string => `event: ${type}\n${data({ type, ...value })}`

let ids = 0
const newId = (prefix: string): string => `${prefix}_${++ids}`

/** Arguments come in pieces, as tokens do. */
function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,12}/g) ?? []
}

function openAi(model: string): Writer {
  const id = newId('chatcmpl')
  let calls = 0
  const chunk = (delta: object, finish: string | null = null) =>
    data({
      id,
      object: 'chat.completion.chunk',
      created: 1_780_000_000,
      model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
  const reasons = { stop: 'stop', tools: 'tool_calls', length: 'length', filter: 'content_filter' } as const
  return {
    begin: () => chunk({ role: 'assistant', content: '' }),
    text: (delta) => chunk({ content: delta }),
    thought: (delta) => chunk({ reasoning_content: delta }),
    call(name, input) {
      const index = calls++
      const first = { index, id: newId('call'), type: 'function', function: { name, arguments: '' } }
      const rest = pieces(input).map((text) => chunk({ tool_calls: [{ index, function: { arguments: text } }] }))
      return chunk({ tool_calls: [first] }) + rest.join('')
    },
    end(finish, { input, output }) {
      if (finish === 'none') return ''
      const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
      const counted = data({ id, object: 'chat.completion.chunk', created: 1_780_000_000, model, choices: [], usage })
      return `${chunk({}, reasons[finish])}${counted}data: [DONE]\n\n`
    },
  }
}

function anthropic(model: string): Writer {
  let index = -1
  let open: 'text' | 'thinking' | null = null
  const close = () => {
    if (open === null) return ''
    open = null
    return event('content_block_stop', { index })
  }
  const within = (type: 'text' | 'thinking', block: object, delta: object) => {
    const start = open === type ? '' : close() + event('content_block_start', { index: ++index, content_block: block })
    open = type
    return start + event('content_block_delta', { index, delta })
  }
  const reasons = { stop: 'end_turn', tools: 'tool_use', length: 'max_tokens', filter: 'refusal' } as const
  const message = {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }
  return {
    begin: () => event('message_start', { message }) + event('ping', {}),
    text: (text) => within('text', { type: 'text', text: '' }, { type: 'text_delta', text }),
    thought: (thinking) => within('thinking', { type: 'thinking', thinking: '' }, { type: 'thinking_delta', thinking }),
    call(name, input) {
      const block = { type: 'tool_use', id: newId('toolu'), name, input: {} }
      const started = close() + event('content_block_start', { index: ++index, content_block: block })
      const given = pieces(input).map((partial_json) =>
        event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json } }),
      )
      return `${started}${given.join('')}${event('content_block_stop', { index })}`
    },
    end(finish, { input, output }) {
      if (finish === 'none') return close()
      const usage = { input_tokens: input, output_tokens: output }
      const delta = { stop_reason: reasons[finish], stop_sequence: null }
      return close() + event('message_delta', { delta, usage }) + event('message_stop', {})
    },
  }
}

function google(model: string): Writer {
  const responseId = newId('resp')
  const chunk = (parts: readonly object[], more: object = {}) =>
    data({ candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }], modelVersion: model, responseId })
  const reasons = { stop: 'STOP', tools: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' } as const
  return {
    begin: () => '',
    text: (text) => chunk([{ text }]),
    thought: (text) => chunk([{ text, thought: true }]),
    // Whole: Google sends no pieces of arguments, and what is no JSON cannot stand in it.
    call: (name, input) =>
      `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":${JSON.stringify(name)},"args":${input}}}],"role":"model"},"index":0}],"responseId":"${responseId}"}\n\n`,
    end(finish, { input, output }) {
      if (finish === 'none') return ''
      const usageMetadata = {
        promptTokenCount: input,
        candidatesTokenCount: output,
        totalTokenCount: input + output,
      }
      const candidates = [
        { content: { parts: [{ text: '' }], role: 'model' }, finishReason: reasons[finish], index: 0 },
      ]
      return data({ candidates, usageMetadata, modelVersion: model, responseId })
    },
  }
}

/** A refusal in the vendor's own shape. */
export function errorBody(wire: WireFormat, status: number, message: string): object {
  const type = status === 401 ? 'authentication_error' : status === 429 ? 'rate_limit_error' : 'api_error'
  switch (wire) {
    case 'openai':
      return { error: { message, type, param: null, code: null } }
    case 'anthropic':
      return { type: 'error', error: { type, message } }
    case 'google':
      return { error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL' } }
  }
}
