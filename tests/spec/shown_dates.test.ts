import { expect, test } from 'vitest'
import { FileDraft } from '../../scripts/new/file_draft.ts'
import { filesThatShowDates, shownDates } from '../../scripts/new/shown_dates.ts'
import { newestRelease } from '../../generated/operations.ts'
import { releaseDates } from '../../server/versions/index.ts'
import { projectRoot } from './support/files.ts'

/** Files that show an older release on purpose: payloads of older webhooks, and how to request an older release. */
const OLDER: readonly string[] = [
  'client/README.md',
  'spec/events/examples/DatabaseContentUpdatedEvent.yaml',
  'spec/events/examples/DatabaseSchemaUpdatedEvent.yaml',
  'spec/guides/08-upgrading.md',
  'spec/resources/webhook_subscriptions/examples/CreateWebhookSubscriptionOlderPayloadsRequest.yaml',
]

// If you are here because a release is new: readers copy the date from these locations, so they show the newest. `npm run new release`
// changes them all; a location that must show an older release belongs in the list above.
test('samples, examples and defaults show the newest release date', () => {
  const draft = new FileDraft(projectRoot)
  const newest = releaseDates.at(-1)
  const shown = filesThatShowDates(draft).flatMap((file) =>
    shownDates(draft.read(file)).map(({ date, line }) => ({ file, date, location: `${file}:${line}` })),
  )
  expect(shown.filter(({ date }) => date === newest).length).toBeGreaterThan(50)
  const older = shown.filter(({ date }) => date !== newest && releaseDates.some((known) => known === date))
  expect(older.filter(({ file }) => !OLDER.includes(file)).map(({ location }) => location)).toEqual([])
  expect([...new Set(older.map(({ file }) => file))].toSorted()).toEqual(OLDER.toSorted())
})

// If you are here because a location is listed: it would keep the previous release. Use `newestRelease` of `generated/operations.ts`.
test('benchmarks and shared test code read the newest release date from the contract', () => {
  const draft = new FileDraft(projectRoot)
  const files = ['bench', 'tests/harness', 'tests/limits'].flatMap((folder) => draft.files(folder, '.ts'))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => draft.read(file).includes(newestRelease))).toEqual([])
})
