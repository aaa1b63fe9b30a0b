/**
 * Uses the requested share of a processor, at the lowest priority. Its parent sends a number from 0 to 1. Processor time that it does not
 * get immediately is made up later.
 */

import { constants, setPriority } from 'node:os'
import { setImmediate as yieldToMessages, setTimeout as pause } from 'node:timers/promises'

/** Short, so that the work is spread like many small tasks. */
const TURN_MS = 2
/** The longest turn without reading messages: on a busy machine, the missing time may never be made up. */
const UNREAD_MS_MAX = 20

setPriority(constants.priority.PRIORITY_LOW)

let share = 0
let begun = performance.now()
let usedBefore = process.cpuUsage()

process.on('message', (part: number) => {
  share = part
  begun = performance.now()
  usedBefore = process.cpuUsage()
})
process.on('disconnect', () => process.exit())

for (;;) {
  const end = performance.now() + UNREAD_MS_MAX
  while (missingTime() > 0 && performance.now() < end);
  await (missingTime() > 0 ? yieldToMessages() : pause(TURN_MS))
}

/** Milliseconds of processor time. */
function missingTime(): number {
  const { user, system } = process.cpuUsage(usedBefore)
  return share * (performance.now() - begun) - (user + system) / 1000
}
