import { parse } from 'yaml'
import { at } from './contract_names.ts'
import type { FileDraft } from './file_draft.ts'
import { addBefore, addEntry } from './edits.ts'
import type { Kind } from './kind.ts'
import { UsageError } from './usage_error.ts'
import { filesThatShowDates, showingDate } from './shown_dates.ts'

const DATES = 'spec/shared/schemas/ReleaseDate.yaml'
const PAYLOADS = 'spec/resources/webhook_subscriptions/schemas/WebhookApiVersion.yaml'
const PAYLOADS_WITH_DATA_SOURCES = 'spec/events/schemas/WebhookApiVersionWithDataSources.yaml'
const API_VERSIONS = 'server/domain/events/webhooks/api_versions.ts'
const RELEASES = 'server/versions/releases.ts'
const UPGRADING = 'spec/guides/08-upgrading.md'

/** `npm run new release 2027-01-15` */
export const releaseDate: Kind = {
  parameters: ['date'],
  says: 'a release date, such as: 2027-01-15',
  callers: 'callers: a new release does not break programs, because each request names its release',
  draft(draft, [date = '']) {
    const newest = newestOf(draft)
    requireDate(date, newest)
    for (const file of [DATES, PAYLOADS, PAYLOADS_WITH_DATA_SOURCES])
      draft.change(file, (text) => addEntry(text, ['enum'], `- '${date}'`))
    showNewest(draft, date, newest)
    describeInPayloads(draft, date, newest)
    describeInInfo(draft, date, newest)
    describeInGuide(draft, date, newest)
    draft.create(`spec/versions/${date}.yaml`, changesText(date))
    draft.create(`server/versions/${date}.ts`, moduleText(date))
    register(draft, date, newest)
    draft.create(`tests/versions/${date}.test.ts`, testText(date))
    return [
      'change the schemas and examples of spec/ to the new shapes: they describe the newest release',
      `each list of expected responses in tests/versions/all_releases.test.ts gets one more at its end, the form of ${date}`,
    ]
  },
}

function newestOf(draft: FileDraft): string {
  const dates = at(parse(draft.read(DATES)), 'enum')
  return String(Array.isArray(dates) ? dates.at(-1) : undefined)
}

/** @throws UsageError if it is not a date, or not later than the newest release */
function requireDate(date: string, newest: string): void {
  const day = new Date(`${date}T00:00:00Z`)
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(date)
  if (!isDate) throw new UsageError(`${date} is not a date: a release is named by its date, as in 2027-01-15.`)
  if (date <= newest) throw new UsageError(`${date} is not later than the newest release, ${newest}.`)
}

function showNewest(draft: FileDraft, date: string, newest: string): void {
  for (const file of filesThatShowDates(draft)) {
    const shown = showingDate(draft.read(file), newest, date)
    if (shown !== draft.read(file)) draft.change(file, () => shown)
  }
}

function describeInPayloads(draft: FileDraft, date: string, newest: string): void {
  draft.change(PAYLOADS, (text) =>
    addBefore(
      text,
      'enum:',
      `  # TODO: say how payloads differ, if they do.\n  - \`${date}\`: the same payloads as \`${newest}\`.\n`,
    ),
  )
  draft.change(API_VERSIONS, (text) =>
    text.replace(`  '${newest}': true,\n`, `$&  '${date}': true,\n`).replace(`= '${newest}'`, `= '${date}'`),
  )
}

function describeInInfo(draft: FileDraft, date: string, newest: string): void {
  draft.change('spec/info.yaml', (text) =>
    text
      .replace(`describes\n  \`${newest}\``, `describes\n  \`${date}\``)
      .replace(
        new RegExp(`^ *\\| \`${newest}\` \\|.*\\n`, 'm'),
        `$&  | \`${date}\` | TODO: say in half a line what changed. |\n`,
      ),
  )
}

function describeInGuide(draft: FileDraft, date: string, newest: string): void {
  draft.change(UPGRADING, (text) => {
    const section = `\n## From ${newest} to ${date}\n\n- TODO: say what callers change in their programs.\n`
    return `${text.replace(`\`${newest}\` is the newest.`, `\`${date}\` is the newest.`).trimEnd()}\n${section}`
  })
}

function register(draft: FileDraft, date: string, newest: string): void {
  const nameOf = (day: string): string => `release${day.replaceAll('-', '')}`
  const importOf = (day: string): string => `import { release as ${nameOf(day)} } from './${day}.ts'\n`
  const entryOf = (day: string): string => `  '${day}': ${nameOf(day)},\n`
  draft.change(RELEASES, (text) =>
    text.replace(importOf(newest), importOf(newest) + importOf(date)).replace(entryOf(newest), entryOf(newest) + entryOf(date)),
  )
}

function changesText(date: string): string {
  return `# What the release of ${date} changed: \`old\` describes earlier releases, \`new\` this and later ones.

# TODO: describe each change; spec/README.md lists what \`contract\` can say. An id is a new letter and a number, such as G1;
# the kind is request, response or both.
- id: TODO
  about: "TODO: one sentence for the list of changes."
  where: "TODO: bodies, responses or parameters."
  old: "TODO: what callers sent or got."
  new: "TODO: what they send or get."
  operations: []
  kind: both
  contract: []
`
}

function moduleText(date: string): string {
  return `/**
 * TODO: say what changed on ${date}, and how older callers keep the old form.
 */

import type { Release } from './release.ts'

// TODO: write one ReleaseChange for each id of spec/versions/${date}.yaml, as 2026-03-11.ts does. Of a key, renameKey (requests.ts)
// turns the old name in requests into the new one, renamed (json.ts) in mapKind (responses.ts) the new name in responses into the old one.
export const release: Release = { date: '${date}', changes: [] }
`
}

function testText(date: string): string {
  return `import { expect, it } from 'vitest'
import { releaseDates } from '../../server/versions/index.ts'

// TODO: test each change from both sides by upgradeBy, downgradeBy and judge of support.ts, as 2026-03-11.test.ts does, instead of this.
it('${date} is the newest release', () => {
  expect(releaseDates.at(-1)).toBe('${date}')
})
`
}
