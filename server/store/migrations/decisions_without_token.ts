import type { Migration } from './migration.ts'

/** Whether a person decided on a call in a browser, signed in, instead of by a token. */
export const decisionsWithoutToken: Migration = {
  number: 41,
  name: 'decisions without a token',
  statements: () => ['alter table session_calls add column is_signed_in integer not null default 0'],
}
