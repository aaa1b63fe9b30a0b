/** The contract's limit of 500 KB. 1 KB counts as 1,024 bytes here, so that a body within the limit by either definition is accepted. */
export const JSON_BODY_BYTES_MAX = 512_000
