import { useRouter, type RegisteredRouter } from '@tanstack/react-router'
import {
  ChartColumn,
  CreditCard,
  History,
  LayoutDashboard,
  Phone,
  Settings,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { useWords, type Words } from '../../words/index.ts'

type Titled = keyof Words['titles']
type Existing = keyof RegisteredRouter['routesByPath']

const ITEMS: readonly { readonly to: Titled; readonly Icon: LucideIcon }[] = [
  { to: '/dashboard', Icon: LayoutDashboard },
  { to: '/make-call', Icon: Phone },
  { to: '/call-history', Icon: History },
  { to: '/analytics', Icon: ChartColumn },
  { to: '/contacts', Icon: Users },
  { to: '/billing', Icon: CreditCard },
  { to: '/settings', Icon: Settings },
]

/** The sidebar's links, for the screens that are in the routes. */
export function useSidebar() {
  const { routesByPath } = useRouter()
  const { titles } = useWords()
  const exists = (path: Titled): path is Existing => path in routesByPath
  return ITEMS.flatMap(({ to, Icon }) => (exists(to) ? [{ to, Icon, title: titles[to] }] : []))
}
