import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/** Ten steps below other threads: about a tenth of a processor that is not enough for all, so that events go on. */
const NICENESS = 10

/**
 * Lowers the priority of the calling thread, so that threads that answer requests get the processor first. Only Linux has priorities of
 * threads; elsewhere, and where `/proc` is not there, nothing happens.
 */
export function giveWay(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICENESS)
  } catch {
    // The thread works with the usual priority.
  }
}
