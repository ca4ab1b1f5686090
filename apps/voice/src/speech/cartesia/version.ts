/** Of the wire format; the vendor keeps older ones. */
export const CARTESIA_VERSION = '2026-08-14'
