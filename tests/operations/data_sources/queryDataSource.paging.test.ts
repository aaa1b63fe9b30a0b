import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage, text } from '../../harness/content.ts'
import { makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const query = (id: string, body: object): Promise<TestResponse> =>
  server.owner.call('queryDataSource', { path: { data_source_id: id }, query: 'filter_properties=title', body })

describe('queryDataSource: rows that change between pages', () => {
  const ROWS = 24
  type Change = { readonly kind: 'edit' | 'trash' | 'add'; readonly pick: number; readonly number: number }
  const change = fc.record<Change>({
    kind: fc.constantFrom('edit', 'edit', 'trash', 'add'),
    pick: fc.nat({ max: ROWS - 1 }),
    number: fc.integer({ min: 0, max: 6 }),
  })
  const sorts = fc.constantFrom(
    [],
    [{ property: 'Number', direction: 'ascending' }],
    [{ property: 'Number', direction: 'descending' }],
    [
      { property: 'Done', direction: 'descending' },
      { property: 'Number', direction: 'ascending' },
    ],
    [{ property: 'Name', direction: 'ascending' }],
  )

  it('200 with every unchanged row once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(sorts, fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 6 }), async (order, changes) => {
        const made = await makeDatabase(server.owner, parent, { Number: { number: {} }, Done: { checkbox: {} } })
        const ids: string[] = []
        for (let index = 0; index < ROWS; index += 1) {
          const values = { Number: { number: index % 5 }, Done: { checkbox: index % 2 === 0 } }
          ids.push(idOf(await makeRow(server.owner, made.sourceId, { Name: { title: [text(`${index % 3}`)] }, ...values })))
        }
        const whole = resultsOf((await query(made.sourceId, { sorts: order })).body).map(idOf)
        const touched = new Set<string>()
        const found: string[] = []
        const turns = changes.values()
        for (let cursor: unknown; ;) {
          const page = await query(made.sourceId, {
            sorts: order,
            page_size: 5,
            ...(cursor === undefined ? {} : { start_cursor: cursor }),
          })
          expect(page.status, page.text).toBe(200)
          found.push(...resultsOf(page.body).map(idOf))
          cursor = page.body['next_cursor']
          if (cursor === null) break
          for (const { kind, pick, number } of turns.next().value ?? []) {
            const id = ids[pick] ?? ''
            if (kind !== 'add') touched.add(id)
            if (kind === 'add') await makeRow(server.owner, made.sourceId, { Number: { number } })
            else
              await server.owner.call('updatePage', {
                path: { page_id: id },
                body: kind === 'trash' ? { in_trash: true } : { properties: { Number: { number } } },
              })
          }
        }
        const isSteady = (id: string): boolean => ids.includes(id) && !touched.has(id)
        expect(found.filter(isSteady)).toStrictEqual(whole.filter(isSteady))
      }),
      { numRuns: 8 },
    )
  })
})

describe('queryDataSource: cursors', () => {
  it('200 with cursors of at most 1,000 characters for long sorted texts', async () => {
    const names = ['One', 'Two', 'Three', 'Four']
    const made = await makeDatabase(server.owner, parent, Object.fromEntries(names.map((name) => [name, { rich_text: {} }])))
    const ids: string[] = []
    for (let index = 0; index < 6; index += 1) {
      const values = names.map((name, location) => [
        name,
        { rich_text: [text('𝒳'.repeat(79) + String(location === 3 ? index : 0))] },
      ])
      ids.push(idOf(await makeRow(server.owner, made.sourceId, Object.fromEntries(values))))
    }
    const sorts = names.map((property) => ({ property, direction: 'ascending' }))
    const found: string[] = []
    for (let cursor: unknown; ;) {
      const page = await query(made.sourceId, { sorts, page_size: 1, ...(cursor === undefined ? {} : { start_cursor: cursor }) })
      expect(page.status, page.text).toBe(200)
      found.push(...resultsOf(page.body).map(idOf))
      cursor = page.body['next_cursor']
      if (cursor === null) break
      expect(String(cursor).length).toBeLessThanOrEqual(1_000)
    }
    expect(found).toStrictEqual(ids)
  })
})
