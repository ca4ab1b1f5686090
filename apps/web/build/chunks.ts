/** Code splitting: few chunks, each with code that is needed together. Of equal priority, the first group wins. */
export const chunks = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 4 },
  { name: 'libraries', test: /node_modules\/@tanstack\//, priority: 3 },
  // Everything the landing page needs, and nothing else.
  {
    name: 'front',
    test: /preload-helper|lucide-react\/.*\/icons\/(check|chevron-down|pause|play)\.|src\/features\/accounts\/GoogleButton|src\/lib\/(classes|format\/clock|language|media|platform\/(index|port|web)|theme|live\/worker)\.|src\/words\/(front|en\/(landing|shell))\.|src\/ui\/(Button|Logo|Notice|Spinner|switches\/\w+)\./,
    priority: 2,
  },
  // A few lines that 'secrets' and 'base' share.
  { name: 'marks', test: /packages\/contract\/src\/calls\/marks\./, priority: 3 },
  // Long lists of names, for the forms of calls alone.
  { name: 'secrets', test: /packages\/contract\/src\/calls\/(private|private-names|secrets)\./, priority: 2 },
  // What every page needs, and modules too small for a request of their own; the native shells' side is none of it.
  {
    name: 'base',
    test: /packages\/contract|lucide-react|src\/app\/(?!screens|NotFound|router)|src\/lib\/(?!format\/phone|platform\/(native|useMedia))|src\/words\/(?!es|legal|en\/legal)|src\/ui\/(Badge|Card|ConfirmDialog|ConnectionBanner|Dialog|form\/(Field|Input|Select)|Scroller|TimeAgo|states|toast\/(toast|ToastHost))\.|src\/features\/(calls\/(api|status|live\/(LiveCalls|useLiveCalls|useEndNotices|reduce|openCall)|sound\/IncomingCall)|credits\/(CreditsBar|LowBalance|dismissal))\./,
    priority: 1,
  },
  { name: 'way-in', test: /src\/features\/accounts\/(AuthLayout|OrDivider|failure)\./ },
  { name: 'hook-form', test: /react-hook-form/ },
  // What the dashboard shares with the screens of which it shows a part.
  {
    name: 'form',
    test: /src\/features\/calls\/(quick-call\/CallForm|placing\/useCallForm|templates\/(SaveAsTemplate|TemplatePicker))\./,
  },
  { name: 'placing', test: /src\/features\/calls\/placing\/(usePlaceCall|callForm|attempts)\./ },
  // What stands before the history would otherwise go with it: contacts show calls too, and Billing has tables.
  {
    name: 'numbers',
    test: /libphonenumber-js|src\/lib\/format\/phone(Rows)?\.|src\/features\/calls\/(PhoneNumber|StatusBadge|history\/CallEntry)\./,
  },
  { name: 'records', test: /src\/ui\/(Records|Table)\./ },
  { name: 'history', test: /src\/features\/calls\/(history\/(CallHistory|download))\./ },
  {
    name: 'radix',
    test: /node_modules\/@radix-ui\/(number|primitive|react-(collection|context|direction|id|portal|presence|primitive|roving-focus|use-[\w-]+|visually-hidden))\//,
  },
  { name: 'floating', test: /node_modules\/(@floating-ui\/|@radix-ui\/react-(popper|arrow)\/)/ },
]
