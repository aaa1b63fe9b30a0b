/** A client could not be tested on this machine; the message names the missing tool. */
export class NotRun extends Error {}
