/** What is used of the package, which has no types of its own. */
declare module 'sherpa-onnx-node' {
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
  const sherpa: { readonly OfflineTts: { createAsync(config: object): Promise<OfflineTts> } }
  export default sherpa
}
