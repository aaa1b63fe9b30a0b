import { goal, type Goal } from './goal.ts'
import { BOTH_ENDS, EDITED_BLOCKS } from './measures/edits.ts'
import { ratesOfService } from './measures/workers.ts'
import type { Results } from './results.ts'
import { median } from './statistics.ts'

const TWO_WORKERS_TO_ONE = 1.8
const EDIT_MILLISECONDS = 200
const EDIT_WAIT_MILLISECONDS = 50
const VALIDATION_MICROSECONDS = 33

/** Goals for the processor time of a request, from which the capacity of machines is computed. */
export function costGoals({ workers, edits, validation }: Results): Goal[] {
  return [
    ...edits
      .filter(({ label, mainThread }) => label.endsWith(BOTH_ENDS) && mainThread.length > 0)
      .flatMap(({ label, mainThread, waits }) => [
        goal(`${label} of ${EDITED_BLOCKS} blocks`, median(mainThread), 'ms', { atMost: EDIT_MILLISECONDS }),
        goal(`${label}: longest wait of others`, Math.min(...waits), 'ms', { atMost: EDIT_WAIT_MILLISECONDS }),
      ]),
    ...(validation
      ? [goal('validating 100 blocks', median(validation.validate), 'µs', { atMost: VALIDATION_MICROSECONDS })]
      : []),
    ...workers.map((figures) => {
      const { one, two } = ratesOfService(figures)
      return goal(`two workers : one process, ${figures.label}`, two / one, '×', { atLeast: TWO_WORKERS_TO_ONE })
    }),
  ]
}
