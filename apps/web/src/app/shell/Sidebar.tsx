import type { User } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { LogOut } from 'lucide-react'
import { classes } from '../../lib/classes.ts'
import { signOut } from '../../lib/server/session.ts'
import { useWords } from '../../words/index.ts'
import { Logo } from '../../ui/Logo.tsx'
import { Switches } from '../../ui/switches/Switches.tsx'
import { useSidebar } from './navigation.ts'

const ROW = 'flex h-11 items-center gap-3 rounded-base px-3 font-medium transition-colors'

export function Sidebar({ user, inDrawer = false }: { readonly user: User; readonly inDrawer?: boolean }) {
  const { shell } = useWords()
  const sidebar = useSidebar()
  return (
    <div className={classes('flex flex-col', inDrawer ? 'flex-1' : 'h-full overflow-y-auto p-4')}>
      {!inDrawer && (
        <Link to="/dashboard" aria-label={shell.home} className="mb-8 self-start rounded-base px-2 pt-1">
          <Logo />
        </Link>
      )}
      <nav aria-label={shell.navigation}>
        <ul className="grid gap-1">
          {sidebar.map(({ to, title, Icon }) => (
            <li key={to}>
              <Link
                to={to}
                className={classes(
                  ROW,
                  'text-muted hover:bg-mint hover:text-ink aria-[current=page]:bg-mint aria-[current=page]:text-brand',
                )}
              >
                <Icon className="size-5" aria-hidden="true" />
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto pt-8">
        <Switches />
        <div className="mt-4 border-t border-line px-3 pt-4">
          <p className="truncate font-medium">{user.fullName}</p>
          <p className="truncate text-sm text-muted">{user.email}</p>
        </div>
        <button
          type="button"
          onClick={signOut}
          className={classes(ROW, 'mt-2 w-full text-muted hover:bg-mint hover:text-ink')}
        >
          <LogOut className="size-5" aria-hidden="true" />
          {shell.signOut}
        </button>
      </div>
    </div>
  )
}
