export const reports = {
  dashboard: {
    lead: 'Manage your AI voice calls and monitor your usage',
    footer: (company: string) => `A product of ${company}`,
    privacy: 'Privacy Policy',
    terms: 'Terms of Service',
    contact: 'Contact Us',
    footerNavigation: 'Legal and contact',
  },
  stats: {
    label: 'Your numbers',
    totalCalls: 'Total Calls',
    successRate: 'Success Rate',
    avgDuration: 'Avg Duration',
    creditsUsed: 'Credits Used',
    failedTitle: 'Your numbers could not be loaded',
  },
  recent: {
    title: 'Recent Activity',
    empty: 'Your latest calls will stand here.',
    failedTitle: 'Your latest calls could not be loaded',
  },
} as const
