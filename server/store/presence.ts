/**
 * Which processes on a database are alive. A process is present under a random number. It holds a lock that the operating system or the
 * database releases when the process ends for any reason.
 */
export interface Presence {
  /** The number of this process; undefined while other processes cannot tell whether it is alive. */
  own(): Promise<number | undefined>
  /** Whether the process with a number is known to have ended. False if that is unknown. */
  hasEnded(number: number): Promise<boolean>
}
