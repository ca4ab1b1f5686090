/** What a Twilio error means for the operator, one sentence each. */
interface Explanation {
  readonly what: string
  readonly whereToMend: string
}

const KEY: Explanation = {
  what: 'Twilio refuses the account SID, the auth token or the API key.',
  whereToMend: 'Compare them with Account > API keys & tokens in the Twilio console, and set them again.',
}
const INACTIVE: Explanation = {
  what: 'The Twilio account is not active, mostly because it is out of funds.',
  whereToMend: 'Add funds under Billing in the Twilio console; it takes some minutes to be active again.',
}
const SUSPENDED: Explanation = {
  what: 'The Twilio account is suspended or closed.',
  whereToMend: 'Look at Billing in the Twilio console, or ask Twilio support why it was suspended.',
}
const BAD_CALLEE: Explanation = {
  what: 'Twilio takes the number to be called for invalid.',
  whereToMend: 'Check the number: it must exist and be written with its country code, as +12125550100.',
}
const BAD_CALLER: Explanation = {
  what: 'The caller number is no number of the Twilio account, and was not verified there.',
  whereToMend: 'Buy the number or verify it under Phone Numbers in the Twilio console, or set another caller number.',
}
const BAD_URL: Explanation = {
  what: 'Twilio does not accept the address of this voice service.',
  whereToMend: 'Set PUBLIC_VOICE_URL to an https address that Twilio reaches from the Internet.',
}
const UNREACHED: Explanation = {
  what: 'Twilio could not open the media stream to this voice service.',
  whereToMend:
    'Let PUBLIC_VOICE_URL lead to this process, WebSockets included, with a certificate of a public authority.',
}

/** From Twilio's error and warning dictionary (twilio.com/docs/api/errors). */
const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  10001: INACTIVE,
  10002: {
    what: 'A Twilio trial account does not have this feature.',
    whereToMend: 'Upgrade the account under Billing in the Twilio console.',
  },
  10004: {
    what: 'The Twilio account has as many calls at once as it may have.',
    whereToMend: 'Lower the concurrency here, or ask Twilio for more under Customer Profiles in its console.',
  },
  10005: {
    what: 'Voice calls are disabled for the Twilio account.',
    whereToMend: 'Ask Twilio support to enable them.',
  },
  13214: BAD_CALLER,
  13223: BAD_CALLEE,
  13224: BAD_CALLEE,
  13225: {
    what: 'Twilio forbids calls to this number.',
    whereToMend: 'Call another number, or ask Twilio support about it.',
  },
  13227: {
    what: 'The Twilio account may not call this country or region.',
    whereToMend: 'Allow it under Voice > Settings > Geo permissions in the Twilio console.',
  },
  20003: KEY,
  20005: INACTIVE,
  20006: {
    what: 'The Twilio API key may not do this.',
    whereToMend: 'Create a standard or main API key under Account > API keys & tokens in the Twilio console.',
  },
  20008: {
    what: 'Twilio test credentials place no real calls.',
    whereToMend: 'Set the live account SID and auth token of the Twilio console.',
  },
  20403: SUSPENDED,
  20404: {
    what: 'Twilio knows no such account or call.',
    whereToMend: 'Check the account SID, and that the API key belongs to that account.',
  },
  20429: {
    what: 'Twilio refuses more requests for now: too many came at once.',
    whereToMend: 'Wait a little and call again, or lower the pace of the batch.',
  },
  21201: BAD_CALLEE,
  21203: {
    what: 'International calls are not enabled for the Twilio account.',
    whereToMend: 'Allow them under Voice > Settings > Geo permissions in the Twilio console.',
  },
  21205: BAD_URL,
  21210: BAD_CALLER,
  21211: BAD_CALLEE,
  21212: {
    what: 'Twilio takes the caller number for invalid.',
    whereToMend: 'Set a caller number of the Twilio account, written with its country code, as +12125550100.',
  },
  21213: {
    what: 'Twilio needs a caller number.',
    whereToMend: 'Set the number that calls come from.',
  },
  21214: {
    what: 'Twilio cannot reach the number to be called.',
    whereToMend: 'Check the number; if it works from other phones, ask Twilio support.',
  },
  21215: {
    what: 'The Twilio account may not call this country or region.',
    whereToMend: 'Allow it under Voice > Settings > Geo permissions in the Twilio console.',
  },
  21216: {
    what: 'Twilio does not let this account call this number, which may be a premium or high-risk one.',
    whereToMend:
      'Check Voice > Settings > Geo permissions in the Twilio console, or ask Twilio support about the number.',
  },
  21217: BAD_CALLEE,
  21219: {
    what: 'A Twilio trial account calls verified numbers only, and this number is not.',
    whereToMend: 'Verify the number under Phone Numbers > Verified caller IDs in the Twilio console, or upgrade.',
  },
  21220: {
    what: 'The call was over before Twilio could change it.',
    whereToMend: 'Nothing needs to be mended.',
  },
  no_media: UNREACHED,
  no_public_url: BAD_URL,
  31920: UNREACHED,
  31921: UNREACHED,
  32202: {
    what: 'The caller number is not trusted enough for this destination.',
    whereToMend: 'Register the number under Trust Hub in the Twilio console (SHAKEN/STIR).',
  },
  573005: {
    what: 'A Twilio trial account calls verified numbers only, and the verification of this one is not completed.',
    whereToMend: 'Enter the code that Twilio sent to the number, under Verified caller IDs in its console.',
  },
}

/** `code` as in LegEnd.code ("twilio:21215"), or the bare number. */
export function explainTwilioCode(code: string | number): Explanation {
  const number = String(code).replace(/^twilio:/, '')
  if (Object.hasOwn(EXPLANATIONS, number)) return EXPLANATIONS[number] ?? unlisted(number)
  return unlisted(number)
}

function unlisted(number: string): Explanation {
  const known = /^\d{3,6}$/.test(number)
  return {
    what: known ? `Twilio refused with error ${number}.` : 'Twilio did not place the call.',
    whereToMend: known
      ? `Look it up at https://www.twilio.com/docs/api/errors/${number}.`
      : 'Look at Monitor > Logs > Errors in the Twilio console.',
  }
}
