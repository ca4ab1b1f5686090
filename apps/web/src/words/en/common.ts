const ago = (n: number, unit: string) => `${n} ${unit}${n === 1 ? '' : 's'} ago`

export const time = {
  unknown: 'Unknown date',
  justNow: 'Just now',
  minutesAgo: (n: number) => ago(n, 'minute'),
  hoursAgo: (n: number) => ago(n, 'hour'),
  daysAgo: (n: number) => ago(n, 'day'),
  duration: (minutes: number, seconds: number) => `${minutes}m ${seconds}s`,
} as const

export const common = {
  cancel: 'Cancel',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  save: 'Save',
  delete: 'Delete',
  error: 'Error',
  fillIn: 'Please fill in all required fields.',
  urlInvalid: 'Enter a whole web address, such as https://example.com',
  outOfRange: (min: string, max: string) => `Enter a number from ${min} to ${max}.`,
  loading: 'Loading',
  optional: 'optional',
  percent: (whole: number) => `${whole}%`,
  tryAgain: 'Try again',
  undo: 'Undo',
  show: 'Show',
  notifications: 'Notifications ({hotkey})',
  notification: 'Notification',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  loadFailed: 'This could not be loaded',
  loadFailedHint: 'Check your connection, then try again.',
  crashed: 'Something went wrong on this page',
  crashedHint: 'Nothing you saved is lost. Load the page again to go on.',
  reload: 'Load again',
  credits: (n: number, text: string) => `${text} ${n === 1 ? 'credit' : 'credits'}`,
} as const
