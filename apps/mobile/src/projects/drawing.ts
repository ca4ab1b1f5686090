import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chromium } from 'playwright-core'
import { readChromium } from '../config.ts'
import { digestOf, pageOf, PICTURES } from './pictures.ts'
import { DRAWN, MARK, MOBILE } from './sync.ts'

/**
 * Draws the icons and splash marks of both projects with a Chromium. They are committed: only a change of the mark or
 * its colours needs this.
 *
 * @returns what it did, as a sentence
 */
export async function drawPictures(): Promise<string> {
  const svg = await readFile(MARK, 'utf8')
  const browser = await chromium.launch({ executablePath: readChromium(), args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ deviceScaleFactor: 1 })
    for (const picture of PICTURES) {
      const { path, side, background } = picture
      await page.setViewportSize({ width: side, height: side })
      await page.setContent(pageOf(svg, picture), { waitUntil: 'load' })
      const png = await page.screenshot({ omitBackground: background === undefined })
      await mkdir(dirname(join(MOBILE, path)), { recursive: true })
      await writeFile(join(MOBILE, path), png)
    }
  } finally {
    await browser.close()
  }
  await writeFile(DRAWN, `{ "digest": "${digestOf(svg)}" }\n`)
  return `${PICTURES.length} pictures drawn.`
}
