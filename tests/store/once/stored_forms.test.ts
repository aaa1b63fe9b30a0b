import { describe, expect, it } from 'vitest'
import { facetsOf, propertyTypeNames } from '../../../server/domain/data/property_types/index.ts'
import { blockTypes } from '../../../server/domain/content/block_types/index.ts'
import { columnTypes } from '../../../server/store/dialects/column_types.ts'
import { migrations } from '../../../server/store/migrations/index.ts'
import { blockForms } from '../../../server/store/stored/block_forms.ts'
import { members } from '../../../server/store/stored/form.ts'
import { checkedValues } from '../../../server/store/stored/checked_values.ts'
import { iconColors, optionColors, textColors } from '../../../server/store/stored/common_forms.ts'
import { eventColumns, jsonColumns } from '../../../server/store/stored/json_columns.ts'
import { keyKinds, propertyForms, valueForms } from '../../../server/store/stored/property_types.ts'
import { checkedTables, describeMismatch, mismatchesOf, viewTypes } from '../../../server/store/stored/row_rules.ts'
import { payloadForms } from '../../../server/domain/workspace_archive/payload_forms.ts'
import { jobKinds } from '../../../server/jobs/job_kinds.ts'
import { webhookKinds } from '../../../server/jobs/webhook_kinds.ts'
import { publicContract } from '../../harness/contract.ts'

const wordsOf = (schema: string): readonly unknown[] => {
  const found: object | undefined = publicContract().components.schemas[schema]
  return found && 'enum' in found && Array.isArray(found.enum) ? found.enum.toSorted() : []
}

describe('the forms of stored values', () => {
  it('have the enum values of the contract', () => {
    expect(textColors.toSorted()).toEqual(wordsOf('Color'))
    expect(optionColors.toSorted()).toEqual(wordsOf('SelectColor'))
    expect(viewTypes.toSorted()).toEqual(wordsOf('ViewType'))
    expect(iconColors.toSorted()).toEqual(wordsOf('NativeIconColor'))
  })

  it('exist for each type of block, property and event', () => {
    expect(Object.keys(blockForms).toSorted()).toEqual([...Object.keys(blockTypes), 'data_source'].toSorted())
    expect(Object.keys(propertyForms).toSorted()).toEqual(propertyTypeNames.toSorted())
    expect(propertyTypeNames).toEqual(expect.arrayContaining(Object.keys(valueForms)))
    const indexed = propertyTypeNames.filter((type) => facetsOf(type).value.keys !== 'none')
    expect(Object.keys(keyKinds).toSorted()).toEqual(indexed.toSorted())
  })

  it('exist for the payloads of exactly the kinds of workspace jobs', () => {
    const parts = { database: { engine: 'sqlite' } } as never
    const kinds = [...jobKinds(parts), ...webhookKinds(parts)]
    const ofWorkspaces = kinds.filter(({ every }) => every === undefined).map(({ name }) => name)
    expect(Object.keys(payloadForms).toSorted()).toEqual(ofWorkspaces.toSorted())
  })

  it.each(Object.entries({ ...jsonColumns, ...eventColumns }))(
    'give readers a valid replacement, or nothing, for the damaged %s',
    (_place, { form, instead }) => {
      expect(instead === null ? undefined : form(instead)).toBeUndefined()
    },
  )

  it('cover every check constraint of the tables', () => {
    const statements = migrations
      .filter(({ rebuilds }) => !rebuilds)
      .flatMap((one) => one.statements(columnTypes.sqlite, 'sqlite'))
    const checks = statements.join('\n').match(/check \(/g) ?? []
    // The titles in SQLite and the temporary tables also have such checks.
    expect(checkedValues().size).toBe(checks.length)
  })
})

describe('a cell of a JSON column', () => {
  const rules = {
    problemIn: () => undefined,
    payloadForm: () => () => undefined,
    changeForm: () => members,
    taskRequestForm: () => members,
  }
  const wide = JSON.stringify('x'.repeat(17_000_000))
  const deep = '['.repeat(10_000) + ']'.repeat(10_000)
  const textColumn = {
    type: 'text',
    isBytes: false,
    isNullable: false,
    isSmall: false,
    isCounted: false,
    isSearched: false,
  } as const
  const own = { workspace_id: '62f746b4-84e6-4ceb-95bd-447e7184d454', type: 'paragraph' }

  it.each([...Object.keys(jsonColumns), 'blocks.content', 'session_events.content'])(
    'is refused with 17 MB, and with 10,000 levels: %s',
    (location) => {
      const [name = '', column = ''] = location.split('.')
      const names = [column, ...Object.keys(own)]
      const [table] = checkedTables([{ name, key: [], columns: names.map((one) => ({ ...textColumn, name: one })) }], rules)
      const foundIn = (text: string): string[] =>
        [...mismatchesOf(table as never, [text, ...Object.values(own)])]
          .filter((mismatch) => mismatch.column === column)
          .map(describeMismatch)
      expect(foundIn(wide)).toEqual([expect.stringMatching(/^\w+: expected a text of up to \d+ bytes, found 17000002 bytes$/)])
      expect(foundIn(deep)).toEqual([`${column}: expected up to 128 levels of lists and objects, found more`])
    },
  )
})
