/**
 * The files that the page's code comes in: few, and in each only what is wanted together. The first of equal priority
 * takes.
 */
export const chunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 4 },
  { name: 'libraries', test: /node_modules\/@tanstack\//, priority: 3 },
  // All that the landing page is made of, and nothing else.
  {
    name: 'front',
    test: /preload-helper|lucide-react\/.*\/icons\/(check|chevron-down|pause|play)\.|src\/features\/accounts\/GoogleButton|src\/lib\/(classes|clock|language|media|native|theme|worker|words\/front|words\/en\/(landing|shell))\.|src\/ui\/(Button|LanguageSwitch|Logo|Notice|Spinner|Switches|ThemeSwitch)\./,
    priority: 2,
  },
  // What every page of the app needs, and what is so small that a request of its own would cost more.
  {
    name: 'base',
    test: /packages\/contract|lucide-react|src\/app\/(?!screens|NotFound|router)|src\/lib\/(?!phone|words\/(es|legal|en\/legal))|src\/ui\/(Badge|Card|ConfirmDialog|ConnectionBanner|Dialog|Field|Input|Scroller|Select|TimeAgo|states|toast|ToastHost)\.|src\/features\/(calls\/(api|status|live\/(LiveCalls|useLiveCalls|useEndNotices|reduce|openCall)|sound\/IncomingCall)|credits\/(CreditsBar|LowBalance|told))\./,
    priority: 1,
  },
  { name: 'way-in', test: /src\/features\/accounts\/(AuthLayout|OrDivider|failure)\./ },
  // What the dashboard shares with the screens of which it shows a part.
  {
    name: 'form',
    test: /react-hook-form|src\/features\/calls\/(quick-call\/CallForm|placing\/useCallForm|templates\/(SaveAsTemplate|TemplatePicker))\./,
  },
  { name: 'placing', test: /src\/features\/calls\/placing\/(usePlaceCall|order|attempts)\./ },
  // What stands before the history would otherwise go with it: contacts show calls too, and Billing has tables.
  {
    name: 'numbers',
    test: /libphonenumber-js|src\/lib\/phone(Rows)?\.|src\/features\/calls\/(PhoneNumber|StatusBadge|history\/CallLine)\./,
  },
  { name: 'records', test: /src\/ui\/(Records|Table)\./ },
  { name: 'history', test: /src\/features\/calls\/(history\/(CallHistory|download))\./ },
  {
    name: 'radix',
    test: /node_modules\/@radix-ui\/(number|primitive|react-(collection|context|direction|id|portal|presence|primitive|roving-focus|use-[\w-]+|visually-hidden))\//,
  },
  { name: 'floating', test: /node_modules\/(@floating-ui\/|@radix-ui\/react-(popper|arrow)\/)/ },
]
