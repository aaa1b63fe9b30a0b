/** Why nothing is written, in one sentence for the user of the command. */
export class UsageError extends Error {}
