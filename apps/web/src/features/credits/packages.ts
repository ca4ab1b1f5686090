import { packageById, PACKAGES, totalCredits, type CreditPackage, type PackageId } from '@parley/contract'
import { dollars } from '../../lib/format/format.ts'

/** What a credit costs, the bonus counted in. */
export function perCredit(item: Pick<CreditPackage, 'price' | 'credits' | 'bonus'>): string {
  return dollars(item.price / totalCredits(item))
}

/**
 * The package an address names; the screen's own default where it names none, undefined where there is none of that
 * name.
 */
export function packageNamed(name: string | undefined, byDefault: PackageId): CreditPackage | undefined {
  return packageById(name ?? byDefault)
}

export function packageOf(id: PackageId): CreditPackage {
  return packageById(id) ?? PACKAGES[0]
}
