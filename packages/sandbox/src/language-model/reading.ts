import type { ModelRequest, WireFormat } from './shapes.ts'

type Json = Readonly<Record<string, unknown>>

/** Which request for a stream this is; null for any other. */
export function wireOf(path: string): WireFormat | null {
  if (path.endsWith('/chat/completions')) return 'openai'
  if (path.endsWith('/messages')) return 'anthropic'
  return path.endsWith(':streamGenerateContent') ? 'google' : null
}

/** @throws when the body is not what the vendor documents */
export function readRequest(wire: WireFormat, path: string, body: Json, index: number): ModelRequest {
  const read = { openai: readOpenAi, anthropic: readAnthropic, google: readGoogle }[wire]
  return { index, wire, body, ...read(body, path) }
}

type Read = Omit<ModelRequest, 'index' | 'wire' | 'body'>

function readOpenAi(body: Json): Read {
  if (body['stream'] !== true) throw new Error('This far end answers streams only: "stream" must be true.')
  const messages = listOf(body['messages']).map((each) => ({ role: each['role'], text: textOf(each['content']) }))
  const isSystem = ({ role }: { readonly role: unknown }) => role === 'system' || role === 'developer'
  const format = objectOf(body['response_format'])
  return {
    model: stringOf(body['model'], 'model'),
    system: messages
      .filter(isSystem)
      .map(({ text }) => text)
      .join('\n'),
    messages: messages.filter((each) => !isSystem(each)).map(({ role, text }) => ({ role: roleOf(role), text })),
    tools: listOf(body['tools']).map((tool) => stringOf(objectOf(tool['function'])['name'], 'tool name')),
    schema: objectOf(format['json_schema'])['schema'] ?? null,
    maxTokens: numberOf(body['max_completion_tokens'] ?? body['max_tokens']),
  }
}

function readAnthropic(body: Json): Read {
  if (body['stream'] !== true) throw new Error('This far end answers streams only: "stream" must be true.')
  if (typeof body['max_tokens'] !== 'number') throw new Error('max_tokens: Field required')
  const messages = listOf(body['messages']).map((each) => ({
    role: roleOf(each['role']),
    text: textOf(each['content']),
  }))
  if (messages[0]?.role !== 'user') throw new Error('messages: first message must use the "user" role')
  const tools = listOf(body['tools'])
  const byTool = tools.find(({ name }) => name === 'json')?.['input_schema']
  const format = objectOf(objectOf(body['output_config'])['format'] ?? body['output_format'])
  return {
    model: stringOf(body['model'], 'model'),
    system: textOf(body['system']),
    messages,
    tools: tools.map(({ name }) => stringOf(name, 'tool name')),
    schema: byTool ?? format['schema'] ?? null,
    maxTokens: numberOf(body['max_tokens']),
  }
}

function readGoogle(body: Json, path: string): Read {
  const config = objectOf(body['generationConfig'])
  const messages = listOf(body['contents']).map((each) => ({
    role: each['role'] === 'model' ? ('assistant' as const) : ('user' as const),
    text: textOf(each['parts']),
  }))
  const functions = listOf(body['tools']).flatMap((tool) => listOf(tool['functionDeclarations']))
  return {
    model: /models\/([^/:]+):/.exec(path)?.[1] ?? '',
    system: textOf(objectOf(body['systemInstruction'])['parts']),
    messages,
    tools: functions.map(({ name }) => stringOf(name, 'function name')),
    schema: config['responseJsonSchema'] ?? config['responseSchema'] ?? null,
    maxTokens: numberOf(config['maxOutputTokens']),
  }
}

function roleOf(role: unknown): 'user' | 'assistant' {
  if (role === 'user' || role === 'assistant') return role
  throw new Error(`A message has the role ${JSON.stringify(role)}.`)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('')
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

function listOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(objectOf) : []
}

function stringOf(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new Error(`There is no ${what}.`)
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
