import { readCosts, type Costs } from './costs.ts'

/** Shares of all requests. Replace them with the shares of your own service if you know them. */
const MIX = { get: 0.5, list: 0.25, query: 0.1, change: 0.12, create: 0.03 } as const
/** The rest is a reserve for peaks: a processor that is always busy makes every request wait. */
const BUSY = 0.6
/** Requests a second of a person who is working with a program on the API: one in five seconds. */
const REQUESTS_OF_A_USER = 0.2
/** Cores of the machine that ran PostgreSQL and the service. */
const CORES_MEASURED = 2
const MACHINES = [2, 8, 32] as const
const DISK_BYTES = 100e9
const REQUESTS = Object.keys(MIX) as (keyof typeof MIX)[]

const NAMES: Readonly<Record<keyof typeof MIX, string>> = {
  get: 'retrieve a block',
  list: 'list 100 blocks',
  query: 'query rows, the first page',
  change: 'change a block',
  create: 'create a page with a paragraph',
}

/**
 * Milliseconds of a core for each request. On SQLite, one core is busy; on PostgreSQL all cores are, because the database's processes also
 * work.
 */
function millisecondsOf({ engine, perSecond, queryMilliseconds }: Costs): Readonly<Record<keyof typeof MIX, number>> {
  const cores = engine === 'SQLite' ? 1 : CORES_MEASURED
  const of = (rate: number): number => (cores / rate) * 1000
  const { get, list, change, create } = perSecond
  return { get: of(get), list: of(list), query: queryMilliseconds, change: of(change), create: of(create) }
}

const sum = (names: readonly (keyof typeof MIX)[], of: (name: keyof typeof MIX) => number): number =>
  names.reduce((total, name) => total + MIX[name] * of(name), 0)

/** Costs of an average request of the mix, and of its writes. */
function mixed(costs: Costs): { readonly milliseconds: number; readonly writingMilliseconds: number } {
  const of = millisecondsOf(costs)
  const turn = (name: 'change' | 'create'): number => 1000 / costs.perSecond[name]
  return {
    milliseconds: sum(REQUESTS, (name) => of[name]),
    writingMilliseconds: MIX.change * turn('change') + MIX.create * turn('create'),
  }
}

/** Costs of single requests and of the mix. */
export function costTable(): string {
  const engines = [readCosts('SQLite'), readCosts('PostgreSQL')]
  const rows = REQUESTS.map((name) => [
    NAMES[name],
    `${(MIX[name] * 100).toFixed(0)} %`,
    ...engines.map((costs) => milliseconds(millisecondsOf(costs)[name])),
  ])
  const total = ['**an average request**', '100 %', ...engines.map((costs) => `**${milliseconds(mixed(costs).milliseconds)}**`)]
  return markdown(['Request', 'Share', 'SQLite, ms of a core', 'PostgreSQL, ms of a core'], [...rows, total])
}

/** Load that machines of several sizes can take. */
export function machineTable(): string {
  const rows = [readCosts('SQLite'), readCosts('PostgreSQL')].flatMap((costs) =>
    MACHINES.map((cores) => {
      const { workers, perSecond, limit } = capacity(costs, cores)
      return [
        `${cores} cores, ${costs.engine}`,
        String(workers),
        rounded(perSecond),
        rounded(perSecond / REQUESTS_OF_A_USER),
        `${((workers * costs.residentMegabytes) / 1000).toFixed(1)} GB`,
        limit,
      ]
    }),
  )
  return markdown(
    ['Machine', '`WORKERS`', 'Requests per second', 'Active people', 'Memory of the processes', 'First limit'],
    rows,
  )
}

function capacity(costs: Costs, cores: number): { readonly workers: number; readonly perSecond: number; readonly limit: string } {
  const { milliseconds: cost, writingMilliseconds } = mixed(costs)
  if (costs.engine === 'PostgreSQL')
    return { workers: Math.max(1, cores / 2), perSecond: (cores * BUSY * 1000) / cost, limit: 'processors' }
  const [ofOne, writing] = [(BUSY * 1000) / cost, (BUSY * 1000) / writingMilliseconds]
  const workers = Math.min(cores - 1, Math.ceil(writing / ofOne))
  const requestsPerSecond = workers * ofOne
  return {
    workers,
    perSecond: Math.min(requestsPerSecond, writing),
    limit: writing < requestsPerSecond ? 'the single writer' : 'processors',
  }
}

/**
 * The most requests of the mix per second when writers wait for each other. In SQLite, all writers of a file do; in PostgreSQL, the writers
 * of one workspace.
 */
export function writingLimit(engine: Costs['engine']): string {
  return rounded((BUSY * 1000) / mixed(readCosts(engine)).writingMilliseconds)
}

/** Number of records that fit on a disk. */
export function diskTable(): string {
  const rows = [readCosts('SQLite'), readCosts('PostgreSQL')].map(({ engine, bytesOfBlock, bytesOfRow }) => [
    engine,
    bytesOfBlock.toLocaleString('en'),
    `${(DISK_BYTES / bytesOfBlock / 1e6).toFixed(0)} million`,
    bytesOfRow.toLocaleString('en'),
    `${(DISK_BYTES / bytesOfRow / 1e6).toFixed(0)} million`,
  ])
  return markdown(['Engine', 'Bytes of a block', 'Blocks in 100 GB', 'Bytes of a row with six columns', 'Rows in 100 GB'], rows)
}

export const tables = (): readonly string[] => [costTable(), machineTable(), diskTable()]

function milliseconds(value: number): string {
  return value.toFixed(value < 1 ? 3 : 2)
}

/** Two digits: more would suggest a precision that the figures do not have. */
function rounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en')
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
    .replace(/^\| --- .*$/m, (line) => line.replaceAll(' --- ', '---'))
}
