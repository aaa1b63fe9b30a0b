import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { until } from '../harness/process.ts'

const COLORS = /\u001b\[[0-9;?]*[A-Za-z]/g

interface Step {
  /** The expected text on the screen before typing. */
  readonly seen: string
  readonly typed: string
}

/**
 * Runs a command in a separate terminal and types.
 * @returns the screen's text and the exit code
 */
export async function onTerminal(
  databaseUrl: string,
  words: readonly string[],
  steps: readonly Step[],
): Promise<{ readonly screen: string; readonly code: number | null }> {
  const quoted = [process.execPath, fileURLToPath(new URL('../../cli/main.js', import.meta.url)), ...words]
    .map((word) => `'${word}'`)
    .join(' ')
  const child = spawn('script', ['-qec', `stty cols 120 rows 40; ${quoted}`, '/dev/null'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TERM: 'xterm', DATABASE_URL: databaseUrl },
  })
  let screen = ''
  child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString().replace(COLORS, '')))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let from = 0
  for (const { seen, typed } of steps) {
    await until(() => (screen.indexOf(seen, from) === -1 ? undefined : true))
    from = screen.length
    child.stdin.write(typed)
  }
  return { code: await ended, screen }
}
