const PARENT_CHECK_MS = 250

/**
 * Calls `end` once if npm has started this process and receives a signal to end. npm signals the shell between them, which ends without
 * passing the signal on.
 */
export function whenNpmEnds(end: () => void): void {
  if (process.env['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const check = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(check)
    end()
  }, PARENT_CHECK_MS).unref()
}
