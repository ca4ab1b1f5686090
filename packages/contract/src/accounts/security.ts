export const API_KEYS_MAX = 20

/** What happened to an account, in its owner's list. */
export const SECURITY_EVENTS = [
  'account_created',
  'signed_in',
  'sign_in_blocked',
  'session_ended',
  'password_changed',
  'email_change_asked',
  'email_change_stopped',
  'email_changed',
  'identity_linked',
  'second_factor_on',
  'second_factor_off',
  'recovery_code_used',
  'recovery_codes_made',
  'passkey_added',
  'passkey_removed',
  'api_key_created',
  'api_key_revoked',
  'export_requested',
  'export_downloaded',
] as const

export const RECOVERY_CODES = 10

export const DATA_EXPORT_DAYS = 7
