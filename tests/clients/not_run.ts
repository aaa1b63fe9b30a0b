/** A client could not be tried on this machine; the message says what is missing. */
export class NotRun extends Error {}
