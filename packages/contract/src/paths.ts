/**
 * Every path of the product: what a client needs to ask, without the shapes. The routes of each room add who may ask,
 * what goes in and what comes out. Params are written `:id`.
 */

export const accountsPaths = {
  currentUser: { id: 'getCurrentUser', method: 'GET', path: '/api/auth/user' },
  register: { id: 'register', method: 'POST', path: '/api/auth/register' },
  login: { id: 'login', method: 'POST', path: '/api/auth/login' },
  logout: { id: 'logout', method: 'GET', path: '/api/logout' },
  loginPage: { id: 'loginPage', method: 'GET', path: '/api/login' },
  verifyEmail: { id: 'verifyEmail', method: 'GET', path: '/api/auth/verify-email' },
  resendVerification: { id: 'resendVerification', method: 'POST', path: '/api/auth/resend-verification' },
  forgotPassword: { id: 'forgotPassword', method: 'POST', path: '/api/auth/forgot-password' },
  resetPassword: { id: 'resetPassword', method: 'POST', path: '/api/auth/reset-password' },
  google: { id: 'signInWithGoogle', method: 'GET', path: '/api/auth/google' },
  googleCallback: { id: 'googleCallback', method: 'GET', path: '/api/auth/google/callback' },
  apple: { id: 'signInWithApple', method: 'POST', path: '/api/auth/apple' },
  appleCallback: { id: 'appleCallback', method: 'POST', path: '/api/auth/apple/callback' },
  nativeSignIn: { id: 'nativeSignIn', method: 'POST', path: '/api/auth/native' },
  getUser: { id: 'getUser', method: 'GET', path: '/api/user/:id' },
  changeUser: { id: 'changeUser', method: 'PATCH', path: '/api/user/:id' },
  getSettings: { id: 'getSettings', method: 'GET', path: '/api/user/:id/settings' },
  changeSettings: { id: 'changeSettings', method: 'PATCH', path: '/api/user/:id/settings' },
  deleteUser: { id: 'deleteUser', method: 'DELETE', path: '/api/user/:id' },
} as const

export const securityPaths = {
  passkeySignInOptions: { id: 'getPasskeySignInOptions', method: 'POST', path: '/api/auth/passkey/options' },
  passkeySignIn: { id: 'signInWithPasskey', method: 'POST', path: '/api/auth/passkey' },
  sessions: { id: 'listSessions', method: 'GET', path: '/api/user/:id/sessions' },
  endSession: { id: 'endSession', method: 'DELETE', path: '/api/user/:id/sessions/:sessionId' },
  endOtherSessions: { id: 'endOtherSessions', method: 'DELETE', path: '/api/user/:id/sessions' },
  apiKeys: { id: 'listApiKeys', method: 'GET', path: '/api/user/:id/api-keys' },
  createApiKey: { id: 'createApiKey', method: 'POST', path: '/api/user/:id/api-keys' },
  revokeApiKey: { id: 'revokeApiKey', method: 'DELETE', path: '/api/user/:id/api-keys/:keyId' },
  securityActivity: { id: 'listSecurityActivity', method: 'GET', path: '/api/user/:id/security-activity' },
  secondFactor: { id: 'getSecondFactor', method: 'GET', path: '/api/user/:id/second-factor' },
  setUpSecondFactor: { id: 'setUpSecondFactor', method: 'POST', path: '/api/user/:id/second-factor' },
  confirmSecondFactor: { id: 'confirmSecondFactor', method: 'POST', path: '/api/user/:id/second-factor/confirm' },
  renewRecoveryCodes: { id: 'renewRecoveryCodes', method: 'POST', path: '/api/user/:id/second-factor/recovery-codes' },
  disableSecondFactor: { id: 'disableSecondFactor', method: 'POST', path: '/api/user/:id/second-factor/disable' },
  passkeys: { id: 'listPasskeys', method: 'GET', path: '/api/user/:id/passkeys' },
  passkeyOptions: { id: 'getPasskeyOptions', method: 'POST', path: '/api/user/:id/passkeys/options' },
  addPasskey: { id: 'addPasskey', method: 'POST', path: '/api/user/:id/passkeys' },
  removePasskey: { id: 'removePasskey', method: 'DELETE', path: '/api/user/:id/passkeys/:passkeyId' },
  requestExport: { id: 'requestExport', method: 'POST', path: '/api/user/:id/exports' },
  exports: { id: 'listExports', method: 'GET', path: '/api/user/:id/exports' },
  downloadExport: { id: 'downloadExport', method: 'GET', path: '/api/user/:id/exports/:exportId/download' },
  testWebhook: { id: 'testWebhook', method: 'POST', path: '/api/user/:id/webhook/test' },
} as const

export const confirmationsPaths = {
  readStepUp: { id: 'readStepUp', method: 'GET', path: '/api/auth/step-up' },
  stepUp: { id: 'stepUp', method: 'POST', path: '/api/auth/step-up' },
  mailStepUpCode: { id: 'mailStepUpCode', method: 'POST', path: '/api/auth/step-up/code' },
  resendEmailChange: { id: 'resendEmailChange', method: 'POST', path: '/api/user/:id/email-change/resend' },
  cancelEmailChange: { id: 'cancelEmailChange', method: 'DELETE', path: '/api/user/:id/email-change' },
  stopEmailChange: { id: 'stopEmailChange', method: 'POST', path: '/api/auth/stop-email-change' },
} as const

export const shellsPaths = {
  createTicket: { id: 'createTicket', method: 'POST', path: '/api/tickets' },
} as const

export const devicesPaths = {
  add: { id: 'addDevice', method: 'POST', path: '/api/devices' },
  remove: { id: 'removeDevice', method: 'DELETE', path: '/api/devices/:id' },
} as const

export const contactsPaths = {
  list: { id: 'listContacts', method: 'GET', path: '/api/user/:id/contacts' },
  create: { id: 'createContact', method: 'POST', path: '/api/contacts' },
  change: { id: 'changeContact', method: 'PATCH', path: '/api/contacts/:id' },
  remove: { id: 'deleteContact', method: 'DELETE', path: '/api/contacts/:id' },
  tags: { id: 'listContactTags', method: 'GET', path: '/api/user/:id/contact-tags' },
  import: { id: 'importContacts', method: 'POST', path: '/api/user/:id/contacts/import' },
  export: { id: 'exportContacts', method: 'GET', path: '/api/user/:id/contacts/export' },
  duplicates: { id: 'listDuplicateContacts', method: 'GET', path: '/api/user/:id/contacts/duplicates' },
  merge: { id: 'mergeContacts', method: 'POST', path: '/api/user/:id/contacts/merge' },
} as const

export const creditsPaths = {
  packages: { id: 'listPackages', method: 'GET', path: '/api/packages' },
  paymentsConfig: { id: 'getPaymentsConfig', method: 'GET', path: '/api/payments/config' },
  createPaymentIntent: { id: 'createPaymentIntent', method: 'POST', path: '/api/create-payment-intent' },
  createSubscription: { id: 'createSubscription', method: 'POST', path: '/api/create-subscription' },
  autoTopUp: { id: 'getAutoTopUp', method: 'GET', path: '/api/user/:id/auto-top-up' },
  stopAutoTopUp: { id: 'stopAutoTopUp', method: 'DELETE', path: '/api/user/:id/auto-top-up' },
  createSetupIntent: { id: 'createSetupIntent', method: 'POST', path: '/api/create-setup-intent' },
  saveCard: { id: 'saveCard', method: 'POST', path: '/api/save-card' },
  forgetCard: { id: 'forgetCard', method: 'DELETE', path: '/api/user/:id/card' },
  processPaymentSuccess: { id: 'processPaymentSuccess', method: 'POST', path: '/api/process-payment-success' },
  processMissedPayment: { id: 'processMissedPayment', method: 'POST', path: '/api/process-missed-payment' },
  payments: { id: 'listPayments', method: 'GET', path: '/api/user/:id/payments' },
  receipt: { id: 'getReceipt', method: 'GET', path: '/api/payments/:id/receipt.pdf' },
  statement: { id: 'getStatement', method: 'GET', path: '/api/user/:id/statement' },
  statementFile: { id: 'getStatementFile', method: 'GET', path: '/api/user/:id/statement.csv' },
  usage: { id: 'getUsage', method: 'GET', path: '/api/user/:id/usage' },
  enterprise: { id: 'contactSales', method: 'POST', path: '/api/enterprise-contact' },
} as const

export const consentPaths = {
  list: { id: 'listDoNotCall', method: 'GET', path: '/api/user/:id/do-not-call' },
  add: { id: 'addDoNotCall', method: 'POST', path: '/api/user/:id/do-not-call' },
  import: { id: 'importDoNotCall', method: 'POST', path: '/api/user/:id/do-not-call/import' },
  remove: { id: 'removeDoNotCall', method: 'DELETE', path: '/api/user/:id/do-not-call/:phone' },
} as const

export const callsPaths = {
  place: { id: 'placeCall', method: 'POST', path: '/api/calls' },
  get: { id: 'getCall', method: 'GET', path: '/api/calls/:id' },
  change: { id: 'changeCall', method: 'PATCH', path: '/api/calls/:id' },
  recording: { id: 'getCallRecording', method: 'GET', path: '/api/calls/:id/recording' },
  voicePreview: { id: 'previewVoice', method: 'GET', path: '/api/voices/preview' },
  active: { id: 'listActiveCalls', method: 'GET', path: '/api/user/:id/calls/active' },
  reading: { id: 'readOrder', method: 'POST', path: '/api/calls/reading' },
} as const

export const callerNumbersPaths = {
  list: { id: 'listCallerNumbers', method: 'GET', path: '/api/user/:id/caller-numbers' },
  verify: { id: 'verifyCallerNumber', method: 'POST', path: '/api/user/:id/caller-numbers' },
  confirm: { id: 'confirmCallerNumber', method: 'POST', path: '/api/user/:id/caller-numbers/confirm' },
  change: { id: 'changeCallerNumber', method: 'PATCH', path: '/api/user/:id/caller-numbers/:phone' },
  remove: { id: 'removeCallerNumber', method: 'DELETE', path: '/api/user/:id/caller-numbers/:phone' },
} as const

export const templatesPaths = {
  list: { id: 'listCallTemplates', method: 'GET', path: '/api/user/:id/call-templates' },
  save: { id: 'saveCallTemplate', method: 'POST', path: '/api/call-templates' },
  rename: { id: 'renameCallTemplate', method: 'PATCH', path: '/api/call-templates/:id' },
  remove: { id: 'deleteCallTemplate', method: 'DELETE', path: '/api/call-templates/:id' },
} as const

export const batchesPaths = {
  create: { id: 'createBatch', method: 'POST', path: '/api/batch-calls' },
  import: { id: 'importBatch', method: 'POST', path: '/api/batch-calls/import' },
  getImport: { id: 'getBatchImport', method: 'GET', path: '/api/batch-calls/:id/import' },
  mapImport: { id: 'mapBatchImport', method: 'PATCH', path: '/api/batch-calls/:id/import' },
  missing: { id: 'getMissingVariables', method: 'GET', path: '/api/batch-calls/:id/missing-variables' },
  list: { id: 'listBatches', method: 'GET', path: '/api/user/:id/batch-calls' },
  get: { id: 'getBatch', method: 'GET', path: '/api/batch-calls/:id' },
  change: { id: 'changeBatch', method: 'PATCH', path: '/api/batch-calls/:id' },
  remove: { id: 'deleteBatch', method: 'DELETE', path: '/api/batch-calls/:id' },
  contacts: { id: 'listBatchContacts', method: 'GET', path: '/api/batch-calls/:id/contacts' },
  results: { id: 'downloadBatchResults', method: 'GET', path: '/api/batch-calls/:id/results' },
  dropped: { id: 'downloadDroppedRows', method: 'GET', path: '/api/batch-calls/:id/dropped' },
} as const

export const noticesPaths = {
  webhook: { id: 'getWebhook', method: 'GET', path: '/api/user/:id/webhook' },
  renewSecret: { id: 'renewWebhookSecret', method: 'POST', path: '/api/user/:id/webhook/secret' },
  deliveries: { id: 'listWebhookDeliveries', method: 'GET', path: '/api/user/:id/webhook/deliveries' },
  delivery: { id: 'getWebhookDelivery', method: 'GET', path: '/api/user/:id/webhook/deliveries/:deliveryId' },
  replay: { id: 'replayWebhookDelivery', method: 'POST', path: '/api/user/:id/webhook/deliveries/:deliveryId/replay' },
} as const

export const reportsPaths = {
  stats: { id: 'getStats', method: 'GET', path: '/api/user/:id/stats' },
  calls: { id: 'listCalls', method: 'GET', path: '/api/user/:id/calls' },
  analytics: { id: 'getAnalytics', method: 'GET', path: '/api/user/:id/analytics' },
  summaries: { id: 'listSummaries', method: 'GET', path: '/api/user/:id/ai-summaries' },
  makeSummaries: { id: 'makeSummaries', method: 'POST', path: '/api/ai-summary/generate' },
} as const

export const systemPaths = {
  health: { id: 'getHealth', method: 'GET', path: '/health' },
  livez: { id: 'getLiveness', method: 'GET', path: '/livez' },
  readyz: { id: 'getReadiness', method: 'GET', path: '/readyz' },
  preflight: { id: 'getPreflight', method: 'GET', path: '/api/preflight' },
  openapi: { id: 'getOpenApi', method: 'GET', path: '/api/openapi.json' },
  docs: { id: 'getDocs', method: 'GET', path: '/api/docs' },
} as const
