import { serverWording } from './server-wordings.ts'

/** The first sentence of every call. It is the server's: nothing in an order can change it or leave it out. */
export function disclosure(language: string, onBehalfOf: string, record: boolean): string {
  const { wording, language: spoken } = serverWording(language)
  const first = wording.disclosure(onBehalfOf)
  const gap = /^(?:zh|ja)/.test(spoken) ? '' : ' '
  return record ? `${first}${gap}${wording.recorded}` : first
}

/** The language the disclosure is spoken in: its own wording, or English. */
export function disclosureLanguage(language: string): string {
  return serverWording(language).language
}
