import { BRAND } from '@parley/contract'

/** What the browser's tab says on each screen, by its path; the product's name follows. */
export const titles = {
  '/': BRAND.tagline,
  '/login': 'Sign In',
  '/register': 'Create your account',
  '/reset-password': 'Choose a new password',
  '/verify-email': 'Verify your email',
  '/privacy-policy': 'Privacy Policy',
  '/terms-of-service': 'Terms of Service',
  '/welcome': 'Welcome',
  '/dashboard': 'Dashboard',
  '/make-call': 'Make Call',
  '/call-history': 'Call History',
  '/analytics': 'Analytics',
  '/contacts': 'Contacts',
  '/billing': 'Billing',
  '/credits/purchase': 'Purchase Credits',
  '/settings': 'Settings',
  '/$': '404 Page Not Found',
} as const

export const shell = {
  documentTitle: (title: string) => `${title} · ${BRAND.product}`,
  home: `${BRAND.product}, home`,
  skip: 'Skip to the content',
  menu: 'Menu',
  openMenu: 'Open the menu',
  closeMenu: 'Close the menu',
  navigation: 'Main',
  signOut: 'Sign Out',
  availableCredits: 'Available Credits',
  credits: 'Credits',
  buyCredits: 'Buy Credits',
  theme: 'Theme',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  loadingSession: 'Loading your session',
  notFoundText: 'Nothing lives at this address. It may have moved, or a letter may be missing.',
  goHome: 'Go to the start page',
  sessionFailed: 'We could not reach the server',
  sessionFailedHint: 'Your data is safe. Check your connection, then try again.',
} as const
