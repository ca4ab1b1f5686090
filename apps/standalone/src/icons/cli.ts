import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openBrowser } from '../browser.ts'

// The app's icons, drawn from the mark. Run it after the mark has changed: CHROMIUM_PATH=... node
// apps/standalone/src/icons/cli.ts

const PUBLIC = fileURLToPath(new URL('../../../web/public', import.meta.url))
const PAPER = '#FBFCFA'
/** A maskable icon may be cut to the circle in its middle; the mark keeps to that. */
const ICONS = [
  { name: 'icon-192', size: 192, share: 1, background: 'transparent' },
  { name: 'icon-512', size: 512, share: 1, background: 'transparent' },
  { name: 'maskable-512', size: 512, share: 0.56, background: PAPER },
  { name: 'apple-touch-icon', size: 180, share: 0.72, background: PAPER },
] as const

const mark = await readFile(`${PUBLIC}/mark.svg`, 'utf8')
const browser = await openBrowser()
try {
  for (const { name, size, share, background } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    const style = `margin:0;display:grid;place-items:center;height:100vh;background:${background}`
    await page.setContent(`<body style="${style}"><div style="width:${share * 100}%">${mark}</div>`)
    await page.screenshot({ path: `${PUBLIC}/icons/${name}.png`, omitBackground: true })
    await page.close()
  }
} finally {
  await browser.close()
}
