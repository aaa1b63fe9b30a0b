import { newestRelease } from '../../../generated/operations.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../../server/config.ts'
import { composeService } from '../../../server/service.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

/** A separate service with a data source that has a column of every filterable type, and a few rows. */

export const NOW = Date.parse('2026-05-16T04:30:00.000Z')
const TOKEN = 'itk_fuzzed_by_the_fuzzer'
export const service = await composeService(
  parseConfig({
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: 'sqlite::memory:',
    FILES_URL: 'file::temporary:',
    BOOTSTRAP_TOKEN: TOKEN,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: 'off',
  }),
  { now: () => NOW },
)

async function made(path: string, body: object): Promise<string> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Service-Version': newestRelease, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const result: unknown = await response.json()
  if (!response.ok || !isObject(result)) throw new Error(JSON.stringify(result))
  const [source] = Array.isArray(result['data_sources']) ? result['data_sources'] : []
  return String((isObject(source) ? source : result)['id'])
}

const title = (content: string): object => ({ title: [{ text: { content } }] })
const page = await made('/v1/pages', { parent: { workspace: true }, properties: title('Fuzzed') })
const other = await made('/v1/databases', {
  parent: { page_id: page },
  initial_data_source: { properties: { Name: { title: {} }, Price: { number: {} } } },
})
export const related = [
  await made('/v1/pages', { parent: { data_source_id: other }, properties: { Name: title('b'), Price: { number: 2 } } }),
  await made('/v1/pages', { parent: { data_source_id: other }, properties: { Name: title('É'), Price: { number: null } } }),
]
const options = ['low', 'high', 'x'].map((name) => ({ name }))
export const sourceId = await made('/v1/databases', {
  parent: { page_id: page },
  initial_data_source: {
    properties: {
      Name: { title: {} },
      Text: { rich_text: {} },
      Url: { url: {} },
      Number: { number: {} },
      Check: { checkbox: {} },
      Select: { select: { options } },
      Status: { status: {} },
      Multi: { multi_select: { options } },
      Date: { date: {} },
      People: { people: {} },
      Files: { files: {} },
      Relation: { relation: { data_source_id: other, single_property: {} } },
      Verified: { verification: {} },
      Id: { unique_id: {} },
      Created: { created_time: {} },
      Edited: { last_edited_time: {} },
      Author: { created_by: {} },
      Words: { formula: { expression: 'prop("Name") + prop("Text")' } },
      Double: { formula: { expression: 'prop("Number") * 2' } },
      Ready: { formula: { expression: 'prop("Check")' } },
      Later: { formula: { expression: 'dateAdd(prop("Date"), 1, "days")' } },
      Prices: { rollup: { relation_property_name: 'Relation', rollup_property_name: 'Price', function: 'show_original' } },
      Sum: { rollup: { relation_property_name: 'Relation', rollup_property_name: 'Price', function: 'sum' } },
    },
  },
})
export const texts = [
  '',
  'a',
  'A',
  'straße',
  'STRASSE',
  'İ',
  'e\u0301',
  '\u00e9',
  '%',
  '_',
  '\\',
  '👩‍🚀',
  'a\u0000b'.replace('\0', ''),
  'x'.repeat(90),
]
export const dates = [null, '2026-05-16', '2026-05-16T23:30:00-03:00', '2026-05-10', '1969-12-31T23:59:59.999Z', '2027-02-28']
export const ids: string[] = []
for (const [index, content] of texts.entries()) {
  const date = dates[index % dates.length] ?? null
  ids.push(
    await made('/v1/pages', {
      parent: { data_source_id: sourceId },
      properties: {
        Name: title(content),
        Text: { rich_text: [{ text: { content: texts[(index * 5) % texts.length] } }] },
        Url: { url: index % 3 === 0 ? null : `https://example.org/${encodeURIComponent(content)}` },
        Number: { number: [null, 0, -1, 0.1, 1e15, 3][index % 6] },
        Check: { checkbox: index % 2 === 0 },
        Select: { select: index % 4 === 0 ? null : { name: options[index % 3]?.name } },
        Multi: { multi_select: options.slice(index % 4) },
        Date: { date: date === null ? null : { start: date } },
        People: { people: index % 3 === 0 ? [] : [{ id: exampleWorkspace.people[index % 2]?.id }] },
        Files: { files: index % 2 === 0 ? [] : [{ name: 'a', external: { url: 'https://example.org/x' } }] },
        Relation: { relation: related.slice(index % 3).map((id) => ({ id })) },
        Verified: { verification: index % 3 === 0 ? { state: 'verified' } : { state: 'unverified' } },
      },
    }),
  )
}
