import { PACKAGES, type CreditPackage } from '@parley/contract'
import { RadioGroup } from 'radix-ui'
import { count, dollars } from '../../../../lib/format/format.ts'
import { useWords } from '../../../../words/index.ts'
import { Badge } from '../../../../ui/Badge.tsx'

interface PackageChoiceProps {
  readonly chosen: CreditPackage
  readonly onChoose: (item: CreditPackage) => void
  readonly disabled?: boolean
}

/** The packages as radio buttons, one row each. */
export function PackageChoice({ chosen, onChoose, disabled = false }: PackageChoiceProps) {
  const { packages } = useWords().credits
  const choose = (id: string) => {
    const item = PACKAGES.find((each) => each.id === id)
    if (item) onChoose(item)
  }
  return (
    <RadioGroup.Root
      aria-label={packages.choose}
      value={chosen.id}
      onValueChange={choose}
      disabled={disabled}
      className="grid gap-3"
    >
      {PACKAGES.map((item) => (
        <RadioGroup.Item
          key={item.id}
          value={item.id}
          className="group flex gap-4 rounded-base border border-line bg-surface p-4 text-left shadow-soft transition-colors enabled:hover:border-edge disabled:opacity-55 data-[state=checked]:border-brand data-[state=checked]:ring-1 data-[state=checked]:ring-brand sm:p-5"
        >
          <span className="mt-1 grid size-5 shrink-0 place-items-center rounded-full border border-edge bg-surface group-data-[state=checked]:border-brand">
            <RadioGroup.Indicator className="block size-2.5 rounded-full bg-brand" />
          </span>
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="tabular text-lg font-semibold">{packages.credits(count(item.credits))}</span>
              {item.bonus !== undefined && <Badge tone="good">{packages.bonus(count(item.bonus))}</Badge>}
              {item.popular && <Badge>{packages.popular}</Badge>}
            </span>
            <span className="mt-0.5 block text-muted">
              {item.name}. {packages.descriptions[item.id]}.
            </span>
          </span>
          <span className="tabular text-lg font-semibold">{dollars(item.price)}</span>
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
