import { readFileSync } from 'node:fs'
import { isObject } from '../harness/json.ts'

/** The tested release of a public client. */
export interface PublicClient {
  readonly package: string
  readonly version: string
  readonly language: string
  /** The release date that it requests. */
  readonly protocol: string
  /** Whether the program sets that date; otherwise it is the client's default. */
  readonly set: boolean
  /** The program to run: a name in `programs.ts`, or a folder of `programs/` with a `kit.json`. */
  readonly program: string
  /** The origin of these tests, in a word or two. */
  readonly tests: string
  /** Omitted parts, with the reason. */
  readonly note: string
  /** Packages used together with it, and their versions. */
  readonly beside: Readonly<Record<string, string>>
  /** Known failures caused by the client, by the name of the call, with the reason. */
  readonly known: Readonly<Record<string, string>>
}

/**
 * The clients of `clients.json`.
 * @throws Error if the file is malformed
 */
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
