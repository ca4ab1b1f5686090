import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

it('no entrance animation uses `translate`, which centres dialogs', async () => {
  const css = await readFile(new URL('theme.css', import.meta.url), 'utf8')
  const [keyframes = ''] = /@keyframes[\s\S]*(?=@keyframes spin)/.exec(css) ?? []
  expect(keyframes).toContain('@keyframes rise')
  // `-translate-1/2` centres by `translate`; `transform` is added to it.
  expect(keyframes).not.toMatch(/\btranslate:/)
})
