/** Twilio's error codes that this far end answers, with their HTTP status. */
const STATUS = {
  10001: 403,
  10004: 429,
  20001: 400,
  20003: 401,
  20004: 405,
  20005: 403,
  20403: 403,
  20404: 404,
  20429: 429,
  20500: 500,
  20503: 503,
  21201: 400,
  21202: 400,
  21203: 400,
  21205: 400,
  21210: 400,
  21211: 400,
  21212: 400,
  21213: 400,
  21214: 400,
  21215: 400,
  21216: 400,
  21217: 400,
  21219: 400,
  21220: 400,
  21450: 400,
} as const
export type ErrorCode = keyof typeof STATUS

/** An error answer in Twilio's shape. */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly status: number

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
    this.status = STATUS[code]
  }

  get body(): unknown {
    const { code, message, status } = this
    return { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }
  }
}

export const notFound = (path: string) => new Refusal(20404, `The requested resource ${path} was not found`)
