import type { EarModel } from './ear-models.ts'

/** To the recognising process. */
export type Asked =
  | { readonly type: 'load'; readonly models: readonly EarModel[] }
  | { readonly type: 'sound'; readonly id: number; readonly language: string; readonly audio: Uint8Array }
  | { readonly type: 'finalize'; readonly id: number }
  | { readonly type: 'close'; readonly id: number }

/** From it. */
export type Answered =
  /** It may die of this one. */
  | { readonly type: 'loading'; readonly folder: string }
  | { readonly type: 'ready' }
  | { readonly type: 'words'; readonly id: number; readonly text: string; readonly final: boolean }
  | { readonly type: 'settled'; readonly id: number }
  /** One frame was taken. */
  | { readonly type: 'heard'; readonly id: number }
