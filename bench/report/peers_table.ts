import type { PeerOperation } from '../peers/peer.ts'
import type { Results } from '../results.ts'
import { median } from '../statistics.ts'
import { figure, table } from './table.ts'

const TITLES: Readonly<Record<PeerOperation, string>> = {
  get: 'retrieve a record',
  list: 'list 100 records',
  create: 'create a record',
}

/** Other servers beside this one, and the guarantees of their responses. */
export function peersTable({ peers }: Results): string {
  if (!peers) return ''
  const rows = Object.entries(peers.series).flatMap(([operation, series]) =>
    series.map(({ label, perSecond, processorMicroseconds, p50 }) => [
      `${TITLES[operation as PeerOperation]}, ${label}`,
      figure(median(perSecond)),
      figure(median(p50)),
      ...(processorMicroseconds.length === 0
        ? ['–', '–']
        : [figure(median(processorMicroseconds)), figure(Math.min(...processorMicroseconds))]),
    ]),
  )
  const memory = peers.peers.map(({ name, residentBytes }) => [name, figure(residentBytes / 1e6)])
  const traits = peers.peers.map(
    ({ name, does: { checks, writes, flushes } }) => `  ${name} checks ${checks}; writes ${writes}; flushes ${flushes}.`,
  )
  return [
    table(['', 'requests/s', 'p50 ms', 'CPU µs', 'least'], rows),
    table(['', 'memory MB'], memory),
    [...traits, ...peers.missing.map(({ name, why }) => `  Missing: ${name}. ${why}`)].join('\n'),
  ].join('\n\n')
}
