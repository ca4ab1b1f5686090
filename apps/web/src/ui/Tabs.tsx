import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface Tab<V extends string> {
  readonly value: V
  readonly label: ReactNode
  readonly content: ReactNode
}

interface TabsProps<V extends string> {
  readonly label: string
  readonly tabs: readonly Tab<V>[]
  readonly value?: V
  readonly onValueChange?: (value: V) => void
}

export function Tabs<V extends string>({ label, tabs, value, onValueChange }: TabsProps<V>) {
  const choose = (chosen: string) => {
    const tab = tabs.find((each) => each.value === chosen)
    if (tab) onValueChange?.(tab.value)
  }
  const first = tabs[0]?.value
  return (
    <Radix.Root
      {...(value === undefined ? { ...(first !== undefined && { defaultValue: first }) } : { value })}
      onValueChange={choose}
    >
      <Radix.List aria-label={label} className="mb-6 flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="relative mb-1.5 rounded-base px-3 py-2 font-medium whitespace-nowrap text-muted transition-colors -outline-offset-2 after:absolute after:inset-x-0 after:-bottom-1.5 after:h-0.5 hover:text-ink data-[state=active]:text-ink data-[state=active]:after:bg-brand"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="outline-offset-4">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
