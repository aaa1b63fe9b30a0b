import { invalid } from '../../shared/index.ts'

/** @throws ServiceError `validation_error` if two sorts have the same property */
export function requireDistinctSorts(sorts: readonly { readonly property: string }[]): void {
  for (const [index, { property }] of sorts.entries()) {
    if (sorts.findIndex((other) => other.property === property) < index)
      throw invalid(`body.sorts[${index}].property`, 'should not repeat the property of an earlier sort')
  }
}
