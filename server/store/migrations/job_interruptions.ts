import type { Migration } from './migration.ts'

/** The number of attempts of a job that began but never ended, because their process died. An attempt that ends sets it to 0. */
export const jobInterruptions: Migration = {
  number: 37,
  name: 'interruptions of jobs',
  statements: () => [`alter table jobs add column interruptions integer not null default 0`],
}
