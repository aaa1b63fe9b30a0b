/** The reason for writing no file, in one sentence for the user of the command. */
export class UsageError extends Error {}
