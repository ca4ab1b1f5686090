import { useWords, type Words } from '../words/index.ts'

export interface Head {
  readonly title: string
  readonly lead: string
}

/** Headings of the sidebar's screens: the same for every user, so that a page can start with them. */
const HEADS = {
  '/dashboard': ({ titles, reports }) => ({ title: titles['/dashboard'], lead: reports.dashboard.lead }),
  '/make-call': ({ titles, calls }) => ({ title: titles['/make-call'], lead: calls.make.lead }),
  '/call-history': ({ titles, calls }) => ({ title: titles['/call-history'], lead: calls.history.lead }),
  '/analytics': ({ titles, reports }) => ({ title: titles['/analytics'], lead: reports.analytics.lead }),
  '/contacts': ({ titles, contacts }) => ({ title: titles['/contacts'], lead: contacts.lead }),
  '/billing': ({ credits }) => ({ title: credits.billing.title, lead: credits.billing.lead }),
  '/settings': ({ settings }) => ({ title: settings.title, lead: settings.lead }),
} as const satisfies Record<string, (words: Words) => Head>

export type HeadedPath = keyof typeof HEADS

export const HEADED_PATHS = Object.keys(HEADS).filter(isHeaded)

export function isHeaded(path: string): path is HeadedPath {
  return path in HEADS
}

export function useHead(path: HeadedPath): Head {
  return HEADS[path](useWords())
}
