/** What the process ends with; the help text and OPERATIONS.md say the same. */
export const exitCodes = {
  done: 0,
  /** The command was understood but could not be carried out; nothing was changed. */
  failed: 1,
  /** Wrong arguments, options or settings. */
  usage: 2,
  /** `doctor` found a problem. */
  unhealthy: 3,
  /** A question was answered with Ctrl-C. */
  cancelled: 130,
} as const

/** Ends the command with words for people and an exit code. */
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
