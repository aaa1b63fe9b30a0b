/** Exit codes, as documented in the help text and in OPERATIONS.md. */
export const exitCodes = {
  done: 0,
  /** The command was valid but failed; nothing was changed. */
  failed: 1,
  /** Invalid arguments, options or settings. */
  usage: 2,
  /** `doctor` found a problem. */
  unhealthy: 3,
  /** `proxy` or `conform` found more problems than allowed. */
  findings: 4,
  /** A prompt was canceled, for example with Ctrl-C, or `conform --full` was interrupted. */
  canceled: 130,
} as const

/** Ends the command with a message and an exit code. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(message, exitCodes.usage)
}

/**
 * @param changes the values of the options; undefined for options that were not given
 * @throws CommandError if none was given
 */
export function requireChanges(changes: object): void {
  if (Object.values(changes).every((value) => value === undefined))
    throw usageError('Nothing to change: give at least one option. See --help.')
}
