/** Programs that run until they are told to end. */

const PARENT_CHECK_MS = 250

/** Calls `end` once, for SIGINT or SIGTERM, to this process or to the npm that has started it. */
export function whenTold(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  if (process.env['npm_lifecycle_event'] !== undefined) whenParentEnds(end)
}

/** npm ends the shell that it has started, and that does not pass the signal on. */
function whenParentEnds(end: () => void): void {
  const parent = process.ppid
  const check = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(check)
    end()
  }, PARENT_CHECK_MS).unref()
}
