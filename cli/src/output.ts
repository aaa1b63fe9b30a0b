import { progress, spinner } from '@clack/prompts'

/** A JSON value. */
export type PrintedJson = null | boolean | number | string | readonly PrintedJson[] | { readonly [key: string]: PrintedJson }
export type JsonResult = { readonly [key: string]: PrintedJson }

/** Shows the progress of long work. */
export interface Meter {
  /** @param share finished so far, from 0 to 1 */
  at(share: number): void
  done(message: string): void
}

const METER_STEPS = 100

/** Replaces control characters in names, because anyone may have chosen them. */
function printable(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
}

/** The output of a command: results on standard output, everything else on standard error. */
export class Output {
  /** Whether to print a single JSON object instead of text. */
  readonly isJson: boolean

  constructor(isJson: boolean) {
    this.isJson = isJson
  }

  /** Prints the result of the command. @param lines the result as text */
  result(value: JsonResult, lines: () => readonly string[]): void {
    process.stdout.write(this.isJson ? `${JSON.stringify(value)}\n` : `${printable(lines().join('\n'))}\n`)
  }

  /** Prints a remark beside the result. */
  note(text: string): void {
    if (!this.isJson) process.stderr.write(`${printable(text)}\n`)
  }

  failure(message: string, exitCode: number): void {
    process.stderr.write(
      this.isJson ? `${JSON.stringify({ error: { message, exit_code: exitCode } })}\n` : `error: ${printable(message)}\n`,
    )
  }

  /** A progress bar for work of known length; silent without a terminal. */
  meter(message: string): Meter {
    if (!this.#isWatched) return { at: () => undefined, done: () => undefined }
    const bar = progress({ max: METER_STEPS, output: process.stderr, style: 'block' })
    bar.start(message)
    let shown = 0
    return {
      at(share) {
        const steps = Math.floor(share * METER_STEPS)
        if (steps > shown) bar.advance(steps - shown)
        shown = Math.max(shown, steps)
      },
      done: (text) => bar.stop(text),
    }
  }

  /** Shows a spinner for work of unknown length. */
  async during<T>(message: string, work: () => Promise<T>): Promise<T> {
    if (!this.#isWatched) return work()
    const wheel = spinner({ output: process.stderr })
    wheel.start(message)
    try {
      const result = await work()
      wheel.stop(message)
      return result
    } catch (error) {
      wheel.error(message)
      throw error
    }
  }

  get #isWatched(): boolean {
    return !this.isJson && process.stderr.isTTY
  }
}

/** A table whose columns are as wide as their longest cells, or one line if it is empty. */
export function textTable(headings: readonly string[], rows: readonly (readonly string[])[], empty: string): string[] {
  if (rows.length === 0) return [empty]
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)))
  return [headings, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Names and values, one pair per line. */
export function details(entries: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${`${name}:`.padEnd(width + 2)}${value}`)
}

/** `2026-05-16 04:30` UTC. */
export function when(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}

/** A time in the API's format. */
export function timestamp(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
