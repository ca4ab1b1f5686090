import { createHash } from 'node:crypto'
import { SHELL } from '../brand.ts'

/** A PNG that both projects need as pixels: Android has vectors from version 8 on. */
interface Picture {
  readonly path: string
  /** Pixels of its side. */
  readonly side: number
  /** How much of the side the mark takes. */
  readonly share: number
  readonly background: string | undefined
}

const assets = 'ios/App/App/Assets.xcassets'
const SPLASH_POINTS = 160
const ANDROID_SIDES = { mdpi: 48, hdpi: 72, xhdpi: 96, xxhdpi: 144, xxxhdpi: 192 }

export const PICTURES: readonly Picture[] = [
  // No transparency: the store refuses an icon that has any.
  {
    path: `${assets}/AppIcon.appiconset/icon-1024.png`,
    side: 1024,
    share: 0.66,
    background: SHELL.paper.light,
  },
  ...[1, 2, 3].map((scale) => ({
    path: `${assets}/Splash.imageset/mark-${scale}x.png`,
    side: SPLASH_POINTS * scale,
    share: 0.8,
    background: undefined,
  })),
  // Android 7 alone.
  ...Object.entries(ANDROID_SIDES).map(([density, side]) => ({
    path: `android/app/src/main/res/mipmap-${density}/ic_launcher.png`,
    side,
    share: 0.8,
    background: SHELL.paper.light,
  })),
]

/** Tells whether the pictures were drawn from this mark as they are described here. */
export function digestOf(svg: string): string {
  return createHash('sha256')
    .update(JSON.stringify([PICTURES, svg]))
    .digest('hex')
}

/** A page that shows the picture and nothing else. */
export function pageOf(svg: string, { side, share, background }: Picture): string {
  const mark = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  return `<body style="margin:0;width:${side}px;height:${side}px;display:grid;place-items:center;background:${background ?? 'transparent'}">
<img src="${mark}" style="width:${side * share}px;height:${side * share}px"></body>`
}
