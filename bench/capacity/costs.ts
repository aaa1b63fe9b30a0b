/** What one engine costs. */
export interface Costs {
  readonly engine: 'SQLite' | 'PostgreSQL'
  /** Responses a second of one process that does nothing else. */
  readonly perSecond: Readonly<Record<'get' | 'list' | 'change' | 'create', number>>
  /** The first page of a query without a filter. */
  readonly queryMilliseconds: number
  /** Of a process after load. */
  readonly residentMegabytes: number
  readonly bytesOfBlock: number
  readonly bytesOfRow: number
}

/**
 * Medians of `npm run bench` with a thousand blocks, and with 100 thousand rows for queries, on an idle virtual machine with 2 cores of an
 * Intel Xeon and 24 GB, Node 24.21; the load came from the same machine. Bytes are of 26 November 2026.
 */
const COSTS: Readonly<Record<Costs['engine'], Omit<Costs, 'engine'>>> = {
  SQLite: {
    perSecond: { get: 10_592, list: 985, change: 3_074, create: 1_260 },
    queryMilliseconds: 4.1,
    residentMegabytes: 217,
    bytesOfBlock: 396,
    bytesOfRow: 2_828,
  },
  PostgreSQL: {
    perSecond: { get: 3_744, list: 816, change: 468, create: 294 },
    queryMilliseconds: 8.8,
    residentMegabytes: 279,
    bytesOfBlock: 467,
    bytesOfRow: 5_009,
  },
}

export function readCosts(engine: Costs['engine']): Costs {
  return { engine, ...COSTS[engine] }
}
