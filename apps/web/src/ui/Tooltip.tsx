import { TOOLTIPS } from '@parley/contract'
import { Tooltip as Radix } from 'radix-ui'
import { createContext, use, type ReactNode } from 'react'

const IsProvided = createContext(false)

/** Stands around neighbouring tooltips, so that they share their delays. A tooltip on its own brings its own. */
export function TooltipProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={TOOLTIPS.delayMs} skipDelayDuration={TOOLTIPS.skipDelayMs}>
      <IsProvided value={true}>{children}</IsProvided>
    </Radix.Provider>
  )
}

/** The child must be able to take the focus, or keyboards never see the tip. */
export function Tooltip({ tip, children }: { readonly tip: ReactNode; readonly children: ReactNode }) {
  const tooltip = (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          sideOffset={6}
          collisionPadding={8}
          className="z-60 max-w-72 animate-appear rounded-small bg-ink px-2.5 py-1.5 text-sm text-paper"
        >
          {tip}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
  return use(IsProvided) ? tooltip : <TooltipProvider>{tooltip}</TooltipProvider>
}
