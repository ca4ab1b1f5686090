import { z } from 'zod'
import { IdParams, MessageReply, PageQuery, PhoneInput } from '../common-shapes.ts'
import { LIST_FILE_MAX_BYTES } from '../common.ts'
import { defineRoute } from '../route.ts'
import { DoNotCallEntry, DoNotCallImport } from './shapes.ts'
import { consentPaths } from '../paths.ts'

const room = 'consent'
const scope = 'contacts'

export const consentRoutes = {
  list: defineRoute({
    ...consentPaths.list,
    room,
    access: 'account',
    summary: 'Numbers that are never called, newest first',
    params: IdParams,
    query: PageQuery.extend({ q: z.string().trim().max(40).optional().describe('Digits the number contains') }),
    reply: z.array(DoNotCallEntry),
    paged: true,
  }),
  add: defineRoute({
    ...consentPaths.add,
    room,
    scope,
    access: 'account',
    summary: 'Never call a number again; what is queued for it is cancelled',
    params: IdParams,
    body: z.object({ phone: PhoneInput }).meta({ id: 'NewDoNotCallEntry' }),
    reply: DoNotCallEntry,
    status: 201,
    errors: ['number_invalid'],
  }),
  import: defineRoute({
    ...consentPaths.import,
    room,
    scope,
    access: 'account',
    summary: 'Add the numbers of a .csv or .json file',
    params: IdParams,
    query: z.object({ fileName: z.string().trim().min(1).max(255) }),
    file: true,
    bodyBytes: LIST_FILE_MAX_BYTES,
    reply: DoNotCallImport,
    errors: ['too_large'],
  }),
  remove: defineRoute({
    ...consentPaths.remove,
    room,
    scope,
    access: 'account',
    summary: 'Allow a number again. One whose owner asked not to be called needs the permission it has given since',
    params: IdParams.extend({ phone: PhoneInput }),
    query: z.object({ permission: z.string().trim().min(1).max(2000).optional() }),
    reply: MessageReply,
    errors: ['consent_required'],
  }),
} as const
