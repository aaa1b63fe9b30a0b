/** Progress goes to standard error, so that standard output contains only figures. */
const start = performance.now()

/** Prints a line with the seconds since the start. */
export function step(text: string): void {
  finishBar()
  process.stderr.write(`${seconds().padStart(7)}  ${text}\n`)
}

let barShown = false

/**
 * Prints a line that is overwritten on a terminal; elsewhere, only its final state.
 * @param share from 0 to 1
 */
export function bar(text: string, share: number): void {
  if (!process.stderr.isTTY) {
    if (share >= 1) step(`${text} done`)
    return
  }
  const filled = Math.round(share * 30)
  process.stderr.write(
    `\r${seconds().padStart(7)}  ${text} ${'█'.repeat(filled)}${'·'.repeat(30 - filled)} ${Math.round(share * 100)} %`,
  )
  barShown = true
  if (share >= 1) finishBar()
}

function finishBar(): void {
  if (barShown) process.stderr.write('\n')
  barShown = false
}

function seconds(): string {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`
}
