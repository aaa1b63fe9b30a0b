import type { Condition } from '../../../store/conditions.ts'
import { momentOf } from '../../shared/index.ts'

const OPERATORS = {
  equals: '=',
  before: '<',
  after: '>',
  on_or_before: '<=',
  on_or_after: '>=',
} as const

/**
 * The bounds of a condition on a time, all of which must hold.
 * @throws ServiceError `validation_error` for a day that does not exist
 */
export function parseTimes<Column extends string>(
  column: Column,
  condition: { readonly [Operator in keyof typeof OPERATORS]?: string },
  path: string,
): Condition<Column>[] {
  return (Object.keys(OPERATORS) as (keyof typeof OPERATORS)[]).flatMap((name) => {
    const text = condition[name]
    if (text === undefined) return []
    return [{ column, operator: OPERATORS[name], value: momentOf(text, `${path}.${name}`) }]
  })
}
