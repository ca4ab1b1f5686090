import { BRAND, FREE_CREDITS } from '@parley/contract'

export const landing = {
  welcome: `Welcome to ${BRAND.product}`,
  callsTo: `${BRAND.product} calls to`,
  allCapabilities: (list: readonly string[]) =>
    `${BRAND.product} calls to ${new Intl.ListFormat('en', { type: 'disjunction' }).format(list)}`,
  tagline: `${BRAND.tagline}.`,
  pitch: 'Say who to call and what for. Read every word as it is spoken, and find the outcome waiting when the line goes quiet.',
  google: 'Continue with Google',
  apple: 'Continue with Apple',
  start: 'Get Started for Free',
  signIn: 'Sign In',
  free: `${FREE_CREDITS} free credits with every new account. No card needed.`,
  pause: 'Pause the moving text',
  play: 'Play the moving text',
  contact: 'Contact Us',
  privacy: 'Privacy Policy',
  terms: 'Terms of Service',
  partOf: `Part of ${BRAND.parentCompany}`,
  googleUnavailable: 'Google sign-in is temporarily unavailable. Please try again later or contact support.',
  authFailed: 'Authentication failed. Please try again.',
} as const

/** A call on the simulated network, word for word. */
export const exampleCall = {
  label: 'A call, as it is written down',
  who: 'Harbour House Hotel',
  purpose: 'Move the booking of Ana Ruiz to Saturday',
  onTheLine: 'On the call',
  ended: 'Call ended',
  agent: 'Agent',
  callee: 'Callee',
  turns: [
    {
      speaker: 'agent',
      text: 'Good morning, this is an AI assistant calling for Ana Ruiz. Could we move her booking from Friday to Saturday?',
    },
    { speaker: 'callee', text: 'Let me look. Saturday night, the sea view room is free.' },
    { speaker: 'agent', text: 'She will take it. Is the price still the same?' },
    { speaker: 'callee', text: 'It is. Consider it moved.' },
  ],
  outcome: 'Booking moved to Saturday, same price',
  quote: '“It is. Consider it moved.”',
  met: 'Objective met',
  seconds: 64,
  facts: '1m 4s · 2 credits',
} as const
