import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'

/** Five steps below that of other threads: about a third of the processor where there is not enough for all. */
const NICENESS = 5

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
