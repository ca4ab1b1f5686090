import { EmptyState } from '../../../../ui/states.tsx'
import { ButtonLink } from '../../../../ui/Button.tsx'

interface LogInPanelProps {
  readonly title: string
  readonly text: string
  readonly label: string
  readonly href: string
}

/** The session ended. The link reloads the page, which then knows. */
export function LogInPanel({ title, text, label, href }: LogInPanelProps) {
  return (
    <EmptyState title={title} hint={text}>
      <ButtonLink>
        <a href={href}>{label}</a>
      </ButtonLink>
    </EmptyState>
  )
}
