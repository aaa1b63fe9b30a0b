import type { SoakFigures } from '../measures/soak.ts'
import type { Results } from '../results.ts'
import { figure, table } from './table.ts'

export function diskTable({ disk }: Results): string {
  if (disk.length === 0) return ''
  return table(
    ['', 'records', 'bytes of one'],
    disk.map(({ label, records, bytesOfOne }) => [label, figure(records), figure(bytesOfOne)]),
  )
}

/** The state of the service minute by minute, and what remains once it is at rest again. */
export function soakTable({ samples, handlesAtRest: [before, after], delivered, failures }: SoakFigures): string {
  const head = ['minute', 'resident MB', 'heap MB', 'external MB', 'handles', 'resources', 'threads']
  const rows = samples.map((one) => [
    one.minute.toFixed(1),
    ...[one.residentBytes / 1e6, one.heapBytes / 1e6, one.externalBytes / 1e6].map(figure),
    ...[one.handles, one.resources, one.threads].map(String),
    ...[one.succeeded, one.failed].map(String),
    ...[one.p50, one.p99].map(figure),
  ])
  const rest = `  Handles at rest: ${before} before, ${after} after. Events delivered: ${delivered}.`
  const failed = failures.map((words) => `  Failed: ${words}`)
  return [table([...head, 'succeeded', 'failed', 'p50 ms', 'p99 ms'], rows), '', rest, ...failed].join('\n')
}
