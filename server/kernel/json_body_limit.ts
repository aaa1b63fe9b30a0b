/** The contract's 500 KB, with 1 KB taken as 1,024 bytes: a body that is within the limit by either definition is accepted. */
export const JSON_BODY_BYTES_MAX = 512_000
