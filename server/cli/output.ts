import { progress, spinner } from '@clack/prompts'

/** A value as a program reads it. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue }
export type JsonResult = { readonly [key: string]: JsonValue }

/** Shows how far long work is. */
export interface Meter {
  /** @param share done so far, from 0 to 1 */
  at(share: number): void
  done(message: string): void
}

const METER_STEPS = 100

/** Names may have been chosen by anybody; what steers a terminal is shown as a mark instead. */
function harmless(text: string): string {
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
}

/** Where a command says what it did: results on standard output, everything else on standard error. */
export class Output {
  /** One JSON object, and nothing for people. */
  readonly isJson: boolean

  constructor(isJson: boolean) {
    this.isJson = isJson
  }

  /** The result of the command. @param lines the same for people */
  result(value: JsonResult, lines: () => readonly string[]): void {
    process.stdout.write(this.isJson ? `${JSON.stringify(value)}\n` : `${harmless(lines().join('\n'))}\n`)
  }

  /** Something that a person should know besides. */
  note(text: string): void {
    if (!this.isJson) process.stderr.write(`${harmless(text)}\n`)
  }

  failure(message: string, exitCode: number): void {
    process.stderr.write(
      this.isJson ? `${JSON.stringify({ error: { message, exit_code: exitCode } })}\n` : `error: ${harmless(message)}\n`,
    )
  }

  /** A bar for work whose length is known; silent where nobody looks. */
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

  /** Says that something is being done whose end nobody knows. */
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

/** Columns as wide as their longest cell. An empty table is one line that says so. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[], empty: string): string[] {
  if (rows.length === 0) return [empty]
  const widths = headings.map((heading, column) => Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)))
  return [headings, ...rows].map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Names and values under each other. */
export function details(entries: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${`${name}:`.padEnd(width + 2)}${value}`)
}

/** `2026-05-16 04:30` UTC. */
export function when(time: number | null): string {
  return time === null ? '-' : new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}

/** The time as the API writes it. */
export function timestamp(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
