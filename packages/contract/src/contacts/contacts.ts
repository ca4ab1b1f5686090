export const CONTACT_TAGS_MAX = 20
export const CONTACTS_FILE_MAX_BYTES = 10 * 1024 * 1024
export const CONTACTS_FILE_MAX = 10_000
export const CONTACTS_FILE_UNREADABLE = 'This file could not be read. Choose a .csv or .vcf file of contacts.'
