import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../../server/domain/workspace_archive/archive.ts'

export type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer V)[] ? V[] : T[K] }
export type Row = Record<string, unknown>

export const digestOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

const pathOf = (folder: string, table: string): string => join(folder, 'tables', `${table}.jsonl`)

export function manifestOf(folder: string): Mutable<Manifest> {
  return JSON.parse(readFileSync(join(folder, 'workspace.json'), 'utf8')) as Mutable<Manifest>
}

/** Updates the digests and counts of an export after a change: it can only be refused for its content. */
export function seal(folder: string, manifest = manifestOf(folder)): void {
  for (const table of manifest.tables) {
    const text = readFileSync(pathOf(folder, table.name))
    Object.assign(table, { rows: text.toString().split('\n').length - 1, sha256: digestOf(text) })
  }
  Object.assign(manifest, { files_sha256: digestOf(readFileSync(join(folder, 'files.jsonl'))) })
  writeFileSync(join(folder, 'workspace.json'), JSON.stringify(manifest))
}

function columnsOf(folder: string, table: string): readonly string[] {
  return manifestOf(folder).tables.find(({ name }) => name === table)?.columns ?? []
}

/** Passes the rows of a table to a function, which changes them, or returns `true` to stop. */
export function editRows(folder: string, table: string, edit: (row: Row) => boolean | void): void {
  const columns = columnsOf(folder, table)
  let isDone = false
  const lines = readFileSync(pathOf(folder, table), 'utf8').trimEnd().split('\n')
  const changed = lines.map((line) => {
    if (isDone || line === '') return line
    const values = JSON.parse(line) as unknown[]
    const row: Row = Object.fromEntries(columns.map((name, index) => [name, values[index]]))
    isDone = edit(row) === true
    return JSON.stringify(columns.map((name) => row[name]))
  })
  writeFileSync(pathOf(folder, table), `${changed.join('\n')}\n`)
}

/** Adds a row with these cells. @param otherwise the value of any other column */
export function addRow(folder: string, table: string, row: Row, otherwise: (column: string) => unknown): void {
  const cells = columnsOf(folder, table).map((name) => (name in row ? row[name] : otherwise(name)))
  appendFileSync(pathOf(folder, table), `${JSON.stringify(cells)}\n`)
}
