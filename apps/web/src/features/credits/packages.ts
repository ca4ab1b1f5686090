import { packageById, PACKAGES, totalCredits, type CreditPackage, type PackageId } from '@parley/contract'
import { dollars } from '../../lib/format/format.ts'

/** The price per credit, bonus included. */
export function perCredit(item: Pick<CreditPackage, 'price' | 'credits' | 'bonus'>): string {
  return dollars(item.price / totalCredits(item))
}

/** The package named in the address; the screen's default if none is named, undefined if it does not exist. */
export function packageNamed(name: string | undefined, byDefault: PackageId): CreditPackage | undefined {
  return packageById(name ?? byDefault)
}

export function packageOf(id: PackageId): CreditPackage {
  return packageById(id) ?? PACKAGES[0]
}
