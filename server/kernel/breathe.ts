import { setImmediate } from 'node:timers/promises'

/** Lets other requests have their turn: an engine inside the process gives none while it works. */
export async function breathe(): Promise<void> {
  await setImmediate()
}
