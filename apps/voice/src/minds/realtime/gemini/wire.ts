import { z } from 'zod'

// The server messages of the Gemini Live API that are read; everything else is passed over.

const Transcription = z.object({ text: z.string().default(''), finished: z.boolean().optional() })
const Part = z.object({ inlineData: z.object({ mimeType: z.string(), data: z.string() }).optional() })
const Content = z.object({
  modelTurn: z.object({ parts: z.array(Part).default([]) }).optional(),
  outputTranscription: Transcription.optional(),
  inputTranscription: Transcription.optional(),
  interimInputTranscription: Transcription.optional(),
  interrupted: z.boolean().optional(),
  generationComplete: z.boolean().optional(),
  turnComplete: z.boolean().optional(),
  turnCompleteReason: z.string().optional(),
})
export type Content = z.infer<typeof Content>

const ServerMessage = z.object({
  setupComplete: z.object({}).optional(),
  serverContent: Content.optional(),
  toolCall: z
    .object({
      functionCalls: z
        .array(z.object({ id: z.string().optional(), name: z.string(), args: z.unknown().optional() }))
        .default([]),
    })
    .optional(),
  usageMetadata: z
    .object({ promptTokenCount: z.int().min(0).optional(), responseTokenCount: z.int().min(0).optional() })
    .optional(),
  goAway: z.object({ timeLeft: z.string().optional() }).optional(),
})
export type ServerMessage = z.infer<typeof ServerMessage>

/** null for garbage. */
export function readMessage(text: string): ServerMessage | null {
  try {
    return ServerMessage.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

export interface SetupOptions {
  readonly model: string
  readonly voice: string
  readonly instructions: string
  readonly tools: readonly object[]
}

export function setupOf({ model, voice, instructions, tools }: SetupOptions): object {
  return {
    setup: {
      model: `models/${model}`,
      // Current models speak and write no text of their own; what they say is written down beside it.
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } },
      },
      systemInstruction: { parts: [{ text: instructions }] },
      tools: [{ functionDeclarations: tools }],
      // Our turns decide: neither does the vendor look for them, nor does a "mhm" stop what it is making.
      realtimeInputConfig: {
        automaticActivityDetection: { disabled: true },
        activityHandling: 'NO_INTERRUPTION',
      },
      inputAudioTranscription: {},
      outputAudioTranscription: {},
      contextWindowCompression: { slidingWindow: {} },
    },
  }
}
