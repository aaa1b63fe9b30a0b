/**
 * Which processes on a database are alive. A process is present under a random number, by a lock that its system or the database frees
 * when it ends, however it ends.
 */
export interface Presence {
  /** The number of this process; undefined while others cannot tell whether it is alive. */
  own(): Promise<number | undefined>
  /** Whether the process with a number is known to have ended. False if that cannot be found out. */
  hasEnded(number: number): Promise<boolean>
}
