import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../processes/launch.ts'

/** What one engine costs, as `bench/README.md` says: nothing here is measured a second time. */
export interface Costs {
  readonly engine: 'SQLite' | 'PostgreSQL'
  /** Answers a second of one process that does nothing else. */
  readonly perSecond: Readonly<Record<'get' | 'list' | 'change' | 'create', number>>
  /** The first page of a query without a filter. */
  readonly queryMilliseconds: number
  /** Of a process after load. */
  readonly residentMegabytes: number
  readonly bytesOfBlock: number
  readonly bytesOfRow: number
}

/** Titles of the rows, and which of their columns is that of an engine with few blocks. */
const ROWS = {
  get: 'Retrieve a block (Express: fixed JSON), per second',
  list: 'List 100 children, per second',
  change: 'Change a block, per second',
  create: 'Create a page, per second',
  resident: 'Memory after load, MB',
  query: 'No filter, ms',
  block: 'A block, bytes',
  row: 'A row of six columns, bytes',
} as const
const PLACES = { SQLite: { load: 0, weight: 0 }, PostgreSQL: { load: 2, weight: 1 } } as const

export function readCosts(engine: Costs['engine']): Costs {
  const readme = readFileSync(join(projectRoot, 'bench/README.md'), 'utf8')
  const { load, weight } = PLACES[engine]
  const read = (row: keyof typeof ROWS, place: number = load): number => figureIn(readme, ROWS[row], place)
  return {
    engine,
    perSecond: { get: read('get'), list: read('list'), change: read('change'), create: read('create') },
    queryMilliseconds: read('query'),
    residentMegabytes: read('resident'),
    bytesOfBlock: read('block', weight),
    bytesOfRow: read('row', weight),
  }
}

/** @throws Error if there is no such figure */
function figureIn(readme: string, title: string, place: number): number {
  const row = readme.split('\n').find((line) => line.startsWith(`| ${title} |`))
  const figure = Number(row?.split('|')[place + 2]?.replaceAll(',', ''))
  if (!(figure > 0)) throw new Error(`bench/README.md has no figure for "${title}" in column ${place + 1}`)
  return figure
}
