import { ratesOfService, ratesWithDatabase } from '../measures/workers.ts'
import type { Results } from '../results.ts'
import { median } from '../statistics.ts'
import { figure, table } from './table.ts'

/** Costs of a request for one process and for two workers, and the resulting rates of two cores. */
export function workersTable({ workers }: Results): string {
  if (workers.length === 0) return ''
  const costs = workers.flatMap(({ label, one, two }) =>
    [one, two].map((cost, index) => [
      `${label}, ${index === 0 ? 'one process' : 'two workers'}`,
      figure(median(cost.service)),
      index === 0 ? figure(median(cost.mainThread)) : '–',
      figure(median(cost.database)),
      figure(median(cost.perSecond)),
    ]),
  )
  const rates = workers.flatMap((figures) =>
    Object.entries({ 'the service': ratesOfService(figures), 'the service and the database': ratesWithDatabase(figures) }).map(
      ([whose, { one, two }]) => [`${figures.label}, two cores for ${whose}`, figure(one), figure(two), figure(two / one)],
    ),
  )
  return [
    table(['', 'service', 'main thread', 'database', 'measured/s'], costs),
    table(['computed, per second', 'one process', 'two workers', 'ratio'], rates),
  ].join('\n\n')
}

/** Costs of changing a long page, and the waits of other requests meanwhile. */
export function editsTable({ edits }: Results): string {
  if (edits.length === 0) return ''
  return table(
    ['', 'median CPU ms', 'least', 'longest wait ms, best round', 'worst'],
    edits.map(({ label, mainThread, waits }) => [
      label,
      figure(median(mainThread)),
      ...[Math.min(...mainThread), Math.min(...waits), Math.max(...waits)].map(figure),
    ]),
  )
}

/** Costs of validating a body against the contract, compared with parsing it. */
export function validationTable({ validation }: Results): string {
  if (!validation) return ''
  const row = (label: string, microseconds: readonly number[]): string[] => [
    label,
    figure(median(microseconds)),
    figure(Math.min(...microseconds)),
  ]
  return table(['', 'median CPU µs', 'least'], [row('validated', validation.validate), row('JSON.parse', validation.parse)])
}
