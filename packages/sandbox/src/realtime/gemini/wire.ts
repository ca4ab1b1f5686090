import { z } from 'zod'

// The client messages of the Gemini Live API that this far end understands.

const Text = z.object({ text: z.string() })
const Content = z.strictObject({ role: z.enum(['user', 'model']).optional(), parts: z.array(Text) })
const Declaration = z.looseObject({ name: z.string(), description: z.string().optional() })

const Setup = z.strictObject({
  model: z.string().regex(/^models\//),
  generationConfig: z.looseObject({ responseModalities: z.tuple([z.enum(['AUDIO', 'TEXT'])]) }),
  systemInstruction: Content.optional(),
  tools: z.array(z.strictObject({ functionDeclarations: z.array(Declaration) })).optional(),
  realtimeInputConfig: z
    .strictObject({
      automaticActivityDetection: z.looseObject({ disabled: z.boolean().optional() }).optional(),
      activityHandling: z.enum(['START_OF_ACTIVITY_INTERRUPTS', 'NO_INTERRUPTION']).optional(),
    })
    .optional(),
  inputAudioTranscription: z.looseObject({}).optional(),
  outputAudioTranscription: z.looseObject({}).optional(),
  sessionResumption: z.looseObject({}).optional(),
  contextWindowCompression: z.looseObject({}).optional(),
})
export type Setup = z.output<typeof Setup>

const RealtimeInput = z.strictObject({
  audio: z.strictObject({ mimeType: z.string(), data: z.base64() }).optional(),
  text: z.string().optional(),
  activityStart: z.object({}).optional(),
  activityEnd: z.object({}).optional(),
})
export type RealtimeInput = z.output<typeof RealtimeInput>

const FunctionResponse = z.looseObject({
  id: z.string(),
  name: z.string(),
  response: z.record(z.string(), z.unknown()),
})

export const ClientMessage = z.union([
  z.strictObject({ setup: Setup }),
  z.strictObject({ realtimeInput: RealtimeInput }),
  z.strictObject({ toolResponse: z.strictObject({ functionResponses: z.array(FunctionResponse) }) }),
])
export type ClientMessage = z.output<typeof ClientMessage>
