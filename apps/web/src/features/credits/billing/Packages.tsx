import { PACKAGES, type CreditPackage } from '@parley/contract'
import { Check } from 'lucide-react'
import { classes } from '../../../lib/classes.ts'
import { count, dollars } from '../../../lib/format/format.ts'
import { useWords } from '../../../words/index.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { ButtonLink } from '../../../ui/Button.tsx'
import { perCredit } from '../packages.ts'

/** The price list: one column per package, the popular one tinted. */
export function Packages() {
  const { packages } = useWords().credits
  return (
    <section aria-labelledby="packages">
      <h2 id="packages" className="text-lg font-semibold">
        {packages.title}
      </h2>
      <p className="mb-4 text-muted">{packages.lead}</p>
      <ul className="grid overflow-hidden rounded-base border border-line bg-surface shadow-soft md:grid-cols-3">
        {PACKAGES.map((item) => (
          <Package key={item.id} item={item} />
        ))}
      </ul>
    </section>
  )
}

function Package({ item }: { readonly item: CreditPackage }) {
  const { packages } = useWords().credits
  return (
    <li
      className={classes(
        'flex flex-col border-line p-5 not-first:border-t sm:p-6 md:not-first:border-t-0 md:not-first:border-l',
        item.popular && 'bg-mint',
      )}
    >
      <div className="flex min-h-7 items-center justify-between gap-3">
        <h3 className="font-medium">{item.name}</h3>
        {item.popular && <Badge>{packages.popular}</Badge>}
      </div>
      <p className="mt-3 flex flex-wrap items-baseline gap-x-2">
        <span className="tabular text-xl font-semibold">{packages.credits(count(item.credits))}</span>
        {item.bonus !== undefined && (
          <span className="tabular font-medium text-brand">{packages.bonus(count(item.bonus))}</span>
        )}
      </p>
      <p className="tabular mt-1 text-muted">
        <span className="font-medium text-ink">{dollars(item.price)}</span> · {packages.perCredit(perCredit(item))}
      </p>
      <ul className="mt-4 mb-6 grid gap-1.5 text-sm">
        {packages.features[item.id].map((feature) => (
          <li key={feature} className="flex gap-2">
            <Check className="mt-0.5 size-4 shrink-0 text-brand" aria-hidden="true" />
            {feature}
          </li>
        ))}
      </ul>
      <ButtonLink variant={item.popular ? 'primary' : 'secondary'} className="mt-auto">
        {/* A full load: only the pages that take cards may talk to the card processor. */}
        <a href={`/new-payment?package=${item.id}`} aria-label={packages.buyNamed(item.name)}>
          {packages.buy}
        </a>
      </ButtonLink>
    </li>
  )
}
