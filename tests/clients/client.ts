import { readFileSync } from 'node:fs'
import { isObject } from '../harness/json.ts'

/** A public client in the release that is tried. */
export interface PublicClient {
  readonly package: string
  readonly version: string
  /** The language that it is written for. */
  readonly language: string
  /** The release date that it speaks. */
  readonly protocol: string
  /** Whether the program sets that date; else it is the client's own default. */
  readonly set: boolean
  /** What is run: the name of a program in `programs.ts`, or a folder of `programs/` with a `kit.json`. */
  readonly program: string
  /** Whose tests these are, in a word or two. */
  readonly tests: string
  /** What was left out, and why. */
  readonly note: string
  /** Packages that it is used with, and their versions. */
  readonly beside: Readonly<Record<string, string>>
  /** What is known to fail through a fault of the client, by the name of the call, and why. */
  readonly known: Readonly<Record<string, string>>
}

/** The clients of `clients.json`. @throws Error where the file is not as it should be */
export function readClients(): PublicClient[] {
  const rows: unknown = JSON.parse(readFileSync(new URL('clients.json', import.meta.url), 'utf8'))
  if (!Array.isArray(rows)) throw new Error('clients.json holds no list')
  return rows.map((row) => {
    if (!isObject(row)) throw new Error('clients.json: no object')
    const text = (key: string, absent?: string): string => {
      const value = row[key] ?? absent
      if (typeof value !== 'string') throw new Error(`clients.json: no ${key}`)
      return value
    }
    return {
      package: text('package'),
      version: text('version'),
      protocol: text('protocol'),
      language: text('language', 'JavaScript'),
      program: text('program'),
      tests: text('tests', 'program'),
      note: text('note', ''),
      set: row['set'] === true,
      beside: texts(row['beside']),
      known: texts(row['known']),
    }
  })
}

function texts(value: unknown): Record<string, string> {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)])) : {}
}
