/**
 * Takes as much processor time as requested, at the lowest priority: a number from its parent is the part of one processor, 0 for
 * nothing. What it does not get at once, it takes later.
 */

import { constants, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** Short, so that its work is spread as that of many small tasks is. */
const TURN_MS = 2

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
  while (owed() > 0);
  await pause(TURN_MS)
}

/** Milliseconds of processor time. */
function owed(): number {
  const { user, system } = process.cpuUsage(usedBefore)
  return share * (performance.now() - begun) - (user + system) / 1000
}
