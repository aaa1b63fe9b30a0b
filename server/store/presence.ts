/**
 * Which processes on a database are alive. A process is present under a random number, by a lock that its system or the database releases
 * when it ends for any reason.
 */
export interface Presence {
  /** The number of this process; undefined while others cannot tell whether it is alive. */
  own(): Promise<number | undefined>
  /** Whether the process with a number is known to have ended. False if that cannot be determined. */
  hasEnded(number: number): Promise<boolean>
}
