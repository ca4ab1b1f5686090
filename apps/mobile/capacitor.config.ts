import type { CapacitorConfig } from '@capacitor/cli'
import { BRAND } from '@parley/contract'

const config: CapacitorConfig = {
  appId: 'example.parley.app',
  appName: BRAND.product,
  webDir: 'www',
}

export default config
