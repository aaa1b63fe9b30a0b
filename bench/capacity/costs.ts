export interface Costs {
  readonly engine: 'SQLite' | 'PostgreSQL'
  /** Responses a second of one process under a single kind of request. */
  readonly perSecond: Readonly<Record<'get' | 'list' | 'change' | 'create', number>>
  /** The first page of a query without a filter. */
  readonly queryMilliseconds: number
  /** Of one process, after load. */
  readonly residentMegabytes: number
  readonly bytesOfBlock: number
  readonly bytesOfRow: number
}

/**
 * Medians of `npm run bench`: a thousand blocks, and 100 thousand rows for queries, on an idle virtual machine with 2 cores of an Intel
 * Xeon, 24 GB, and Node 24.21. The load generator ran on the same machine. Bytes were measured on 26 November 2026.
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
