/** The files that the page's code comes in: few, and in each only what is wanted together. The first of equal priority takes. */
export const chunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 4 },
  { name: 'libraries', test: /node_modules\/@tanstack\//, priority: 3 },
  // All that the landing page is made of, and nothing else.
  {
    name: 'front',
    test: /preload-helper|lucide-react\/.*\/icons\/(check|chevron-down|pause|play)\.|src\/features\/accounts\/GoogleButton|src\/lib\/(classes|clock|language|media|native|theme|worker|words\/front|words\/en\/(landing|shell))\.|src\/ui\/(Button|LanguageSwitch|Logo|Notice|Spinner|Switches|ThemeSwitch)\./,
    priority: 2,
  },
  {
    name: 'base',
    test: /packages\/contract|lucide-react|src\/lib\/(?!phone|words\/(es|legal|en\/legal))|src\/ui\/(Field|Input|toast|ToastHost)\./,
    priority: 1,
  },
  { name: 'way-in', test: /src\/features\/accounts\/(AuthLayout|OrDivider|failure)\./ },
  // What most screens of members share.
  {
    name: 'parts',
    test: /src\/ui\/(Badge|Card|ConfirmDialog|Dialog|Scroller|Select|TimeAgo|states)\.|src\/app\/shell\/|src\/features\/(calls\/(api|status|live\/(LiveCalls|useLiveCalls|useEndNotices|reduce|openCall)|sound\/IncomingCall)|credits\/(CreditsBar|LowBalance|told))\./,
  },
  {
    name: 'numbers',
    test: /libphonenumber-js|src\/lib\/phone(Rows)?\.|src\/features\/calls\/(PhoneNumber|StatusBadge|history\/CallLine)\./,
  },
  {
    name: 'radix',
    test: /node_modules\/@radix-ui\/(number|primitive|react-(collection|context|direction|id|portal|presence|primitive|roving-focus|use-[\w-]+|visually-hidden))\//,
  },
  { name: 'floating', test: /node_modules\/(@floating-ui\/|@radix-ui\/react-(popper|arrow)\/)/ },
]
