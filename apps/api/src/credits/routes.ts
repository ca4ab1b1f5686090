import { creditsRoutes, PACKAGES } from '@parley/contract'
import type { Router } from '../platform/http.ts'

export function registerCredits({ route }: Router): void {
  route(creditsRoutes.packages, () => [...PACKAGES])
}
