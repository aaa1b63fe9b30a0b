import { faultsIn, type Fault } from '../fault.ts'

/** Search by titles. */
export const search: readonly Fault[] = [
  ...faultsIn(
    'domain/data/search/search.ts',
    ['operations/search/search.test.ts'],
    [
      ['a search that ends early does not say so', 'isComplete || page.hasMore)', 'isComplete || !page.hasMore)'],
      [
        'further pages of a search are sorted by time only',
        'const from = id === undefined ? undefined : { rank: Number(rank),',
        'const from = id === undefined ? undefined : { rank: Number(rank) * 0,',
      ],
    ],
  ),
]
