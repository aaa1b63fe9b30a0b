import type { Migration } from './migration.ts'

/** Gives the columns of request counts the names that rate-limiter-flexible expects. */
export const limiterColumns: Migration = {
  number: 39,
  name: 'columns of request counts',
  statements: () => [
    'alter table budget_windows rename column used to points',
    'alter table budget_windows rename column end_time to expire',
  ],
}
