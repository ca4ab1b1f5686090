import type { Appearance } from '@stripe/stripe-js'

/** Stripe's appearance in the colours of the current theme. */
export function appearance(): Appearance {
  const line = `1px solid ${colour('edge')}`
  return {
    theme: 'stripe',
    variables: {
      colorPrimary: colour('brand'),
      colorBackground: colour('surface'),
      colorText: colour('ink'),
      colorTextSecondary: colour('muted'),
      colorTextPlaceholder: colour('muted'),
      colorDanger: colour('danger'),
      iconColor: colour('muted'),
      fontFamily: 'Inter, system-ui, sans-serif',
      fontSizeBase: '16px',
      borderRadius: '12px',
      gridRowSpacing: '20px',
    },
    rules: {
      '.Label': { fontSize: '14px', fontWeight: '500' },
      '.Input': { border: line, boxShadow: 'none', padding: '10px 14px' },
      '.Input:focus': {
        borderColor: colour('brand'),
        boxShadow: 'none',
        outline: `2px solid ${colour('brand')}`,
        outlineOffset: '2px',
      },
      '.Tab': { border: line, boxShadow: 'none' },
    },
  }
}

/** A new element each time, because a reused one would still be in its colour transition. */
function colour(name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(--color-${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
