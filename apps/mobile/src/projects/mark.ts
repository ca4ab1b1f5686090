import { DOMParser } from '@xmldom/xmldom'

/** The product's mark: filled paths in a square of `side` units. */
export interface Mark {
  readonly side: number
  readonly paths: readonly { readonly fill: string; readonly d: string }[]
}

/**
 * @param svg a drawing whose viewBox is a square at 0 0, of paths with a fill
 * @throws Error when it is drawn with anything else, which an Android vector made from it would lack
 */
export function readMark(svg: string): Mark {
  const root = new DOMParser({ onError: refuse }).parseFromString(svg, 'image/svg+xml').documentElement
  const [x, y, width, height] = (root?.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  const elements = [...(root?.getElementsByTagName('*') ?? [])]
  const paths = elements.map((element) => ({
    fill: element.getAttribute('fill') ?? '',
    d: element.getAttribute('d') ?? '',
  }))
  // A path that begins at an absolute point means the same after another.
  const isDrawn = paths.every(({ fill, d }) => /^#([\da-f]{3}|[\da-f]{6})$/i.test(fill) && d.startsWith('M'))
  const isPlain = elements.every((element) => element.tagName === 'path' && !element.hasAttribute('transform'))
  if (x !== 0 || y !== 0 || !width || width !== height || paths.length === 0 || !isDrawn || !isPlain)
    throw new Error('The mark must be filled paths alone in a square viewBox that begins at 0 0.')
  return { side: width, paths }
}

function refuse(_level: string, message: string): never {
  throw new Error(message)
}

/**
 * An Android vector drawable of `size` dp with the mark in its middle, `share` of it wide. With `ink` in that colour
 * alone, its later paths cut out of its first.
 */
export function vectorOf(mark: Mark, { size, share, ink }: { size: number; share: number; ink?: string }): string {
  const scale = round((size * share) / mark.side)
  const offset = round((size - scale * mark.side) / 2)
  const paths = ink === undefined ? mark.paths : [{ fill: ink, d: mark.paths.map(({ d }) => d).join('') }]
  const drawn = paths.map(
    ({ fill, d }) => `        <path
            android:fillColor="${longColor(fill)}"
            android:fillType="evenOdd"
            android:pathData="${d}" />`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<!-- Written by \`npm run mobile:sync\` from the product's mark. -->
<vector xmlns:android="http://schemas.android.com/apk/res/android"
    android:width="${size}dp"
    android:height="${size}dp"
    android:viewportWidth="${size}"
    android:viewportHeight="${size}">
    <group
        android:scaleX="${scale}"
        android:scaleY="${scale}"
        android:translateX="${offset}"
        android:translateY="${offset}">
${drawn.join('\n')}
    </group>
</vector>
`
}

const round = (value: number) => Math.round(value * 1000) / 1000

/** #abc as #AABBCC: Android reads the short form too, its tools warn of it. */
function longColor(color: string): string {
  const digits = color.length === 4 ? color.slice(1).replaceAll(/./g, '$&$&') : color.slice(1)
  return `#${digits.toUpperCase()}`
}
