import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../lib/classes.ts'

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      {...rest}
      className={classes('rounded-base border border-line bg-surface p-5 shadow-soft sm:p-6', className)}
    />
  )
}

interface CardTitleProps {
  readonly title: ReactNode
  readonly lead?: ReactNode
  /** At the right: an action, a badge. */
  readonly aside?: ReactNode
  readonly id?: string
}

export function CardTitle({ title, lead, aside, id }: CardTitleProps) {
  return (
    <div className="mb-5 flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
      <div className="min-w-0 flex-1 basis-48">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {lead && <p className="mt-0.5 text-sm text-muted">{lead}</p>}
      </div>
      {aside}
    </div>
  )
}

/** A screen's heading: its only h1, a line below and its actions. */
export function PageHead({
  title,
  lead,
  children,
}: {
  readonly title: ReactNode
  readonly lead?: ReactNode
  readonly children?: ReactNode
}) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 sm:mb-8">
      <div className="max-w-2xl self-start">
        <h1 className="text-xl font-semibold">{title}</h1>
        {lead && <p className="mt-1 text-base text-muted">{lead}</p>}
      </div>
      {children}
    </header>
  )
}
