/** The part of sherpa-onnx-node 1.13 that is used; the package has no types of its own. */
declare module 'sherpa-onnx-node' {
  interface OnlineStream {
    acceptWaveform(sound: { readonly samples: Float32Array; readonly sampleRate: number }): void
  }
  interface OnlineRecognizerConfig {
    readonly featConfig: { readonly sampleRate: number; readonly featureDim: number }
    readonly modelConfig: {
      readonly transducer?: { readonly encoder: string; readonly decoder: string; readonly joiner: string }
      readonly paraformer?: { readonly encoder: string; readonly decoder: string }
      readonly zipformer2Ctc?: { readonly model: string }
      readonly tokens: string
      readonly numThreads: number
      readonly provider: string
    }
  }
  class OnlineRecognizer {
    constructor(config: OnlineRecognizerConfig)
    createStream(): OnlineStream
    isReady(stream: OnlineStream): boolean
    decode(stream: OnlineStream): void
    reset(stream: OnlineStream): void
    getResult(stream: OnlineStream): { readonly text: string }
  }
  export interface OfflineTts {
    readonly numSpeakers: number
    generate(asked: {
      readonly text: string
      readonly sid: number
      readonly speed: number
      /** Electron alone cannot have it. */
      readonly enableExternalBuffer: boolean
    }): { readonly samples: Float32Array; readonly sampleRate: number }
  }
  const sherpa: {
    readonly OnlineRecognizer: typeof OnlineRecognizer
    readonly OfflineTts: { createAsync(config: object): Promise<OfflineTts> }
  }
  export default sherpa
}
