import { BRAND, CAPABILITIES, FREE_CREDITS } from '@parley/contract'

export const landing = {
  welcome: `Welcome to ${BRAND.product}`,
  callsTo: `${BRAND.product} calls to`,
  capabilities: CAPABILITIES,
  allCapabilities: `${BRAND.product} calls to ${CAPABILITIES.slice(0, -1).join(', ')}, or ${CAPABILITIES.at(-1)}`,
  tagline: `${BRAND.tagline}.`,
  pitch: 'Say who to call and what for. Read every word as it is spoken, and get the outcome when the call ends.',
  description: `${BRAND.product} is an AI that makes your phone calls: say who to call and what for, watch it happen, read the outcome.`,
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

/** A call on the simulated network, word for word, until the objective is settled. */
export const exampleCall = {
  label: 'Transcript of an example call',
  who: '+1 202 555 0110',
  purpose: 'Amend a dinner booking: 8 pm, or up to 8:30',
  onTheLine: 'On the call',
  ended: 'Call ended',
  agent: 'Agent',
  callee: 'Callee',
  turns: [
    { isCallee: false, text: 'Hello, this is an AI assistant calling on behalf of Ana Ruiz.' },
    {
      isCallee: false,
      text: "I'm calling to amend a dinner booking. Would it be possible to move the booking to 8 pm?",
    },
    { isCallee: true, text: 'No, I am sorry, that is not possible.' },
    { isCallee: false, text: 'I understand. Is there something close to that you could offer instead?' },
    { isCallee: true, text: 'Half past eight would be possible.' },
    { isCallee: false, text: "That works too. So that's moving the booking to 8:30 pm, is that right?" },
    { isCallee: true, text: 'Yes, that is right.' },
  ],
  outcome: 'Booking moved to 8:30 pm',
  quote: '“Half past eight would be possible.”',
  met: 'Met within your limits',
  seconds: 41,
  facts: '0m 41s · 1 credit',
} as const
