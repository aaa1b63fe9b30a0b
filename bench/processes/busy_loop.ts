/**
 * Takes as much processor time as requested, at the lowest priority: a number from its parent is the part of one processor, 0 for
 * nothing. What it does not get at once, it takes later.
 */

import { constants, setPriority } from 'node:os'
import { setImmediate as yieldToMessages, setTimeout as pause } from 'node:timers/promises'

/** Short, so that its work is spread as that of many small tasks is. */
const TURN_MS = 2
/** What it is owed may never be paid on a busy machine, and the next number has to be read all the same. */
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
  while (owed() > 0 && performance.now() < end);
  await (owed() > 0 ? yieldToMessages() : pause(TURN_MS))
}

/** Milliseconds of processor time. */
function owed(): number {
  const { user, system } = process.cpuUsage(usedBefore)
  return share * (performance.now() - begun) - (user + system) / 1000
}
