import { z } from 'zod'
import type { PagePropertiesRequest, PageObject, PropertyValue, UpdatePageRequest } from '../../../client/src/index.ts'
import { recordIdIn } from '../forgiving.ts'
import { requireFull, sourceOfRow, titleOf, valuesOf } from '../records.ts'
import { defineTool, ToolError } from '../tool.ts'
import { undoUpdate } from '../undo_steps.ts'
import { Lookup } from '../values/lookup.ts'
import { shownValue } from '../values/shown_value.ts'
import { richTextItems, titleName, valueRequests } from '../values/value_request.ts'
import { writtenValues } from './written_values.ts'
import { undoToken } from './undo_token.ts'

export const updatePageMcpTool = defineTool({
  name: 'update_page',
  title: 'Update a page or row',
  description:
    'Changes the title, the icon or property values of a page or row. Values that are not named stay as they are. To change the text of the page, use edit_page.',
  operations: ['retrievePage', 'retrieveDataSource', 'listUsers', 'queryDataSource', 'updatePage'],
  input: z.object({
    page: z.string().describe('Id or URL of the page or row'),
    title: z.string().optional(),
    icon: z.string().optional().describe('An emoji'),
    values: writtenValues.optional(),
  }),
  output: z.object({ id: z.string(), title: z.string(), values: z.record(z.string(), z.unknown()), undo: undoToken }),
  async run({ client, undo }, { page, title, icon, values = {} }) {
    const id = recordIdIn(page, 'page')
    const before = requireFull(await client.pages.retrieve({ page_id: id }))
    const properties = await valueRequests(
      new Lookup(client, () => sourceOfRow(client, before)),
      before.properties,
      values,
      'values',
    )
    if (title !== undefined) properties[titleName(before.properties)] = { title: richTextItems(title) }
    const names = Object.keys(properties)
    if (names.length === 0 && icon === undefined) throw new ToolError('Give a title, an icon or values.')
    const change = { properties, ...(icon !== undefined && { icon: { emoji: icon } }) }
    const after = requireFull(await client.pages.update({ page_id: id, ...change }))
    const earlier = earlierState(before, names, icon !== undefined)
    return {
      id,
      title: titleOf(after),
      values: valuesOf(after),
      ...(earlier && { undo: undo.add(undoUpdate(client, after, names, earlier)) }),
    }
  },
})

/** Values and icon before a change, as a request; undefined if the page does not contain all of one. */
function earlierState(page: PageObject, names: readonly string[], hasIcon: boolean): UpdatePageRequest | undefined {
  const values = names.map((name) => [name, page.properties[name]] as const)
  if (values.some(([, value]) => value === undefined || !isComplete(value))) return undefined
  const properties = Object.fromEntries(values) as PagePropertiesRequest
  if (!hasIcon) return { properties }
  const { icon } = page
  return icon === null || icon.type === 'emoji' ? { properties, icon } : undefined
}

/** Whether a value can be sent back as it was read: page objects contain up to 25 links and mentions, and files have signed addresses. */
function isComplete(value: PropertyValue): boolean {
  const plain = shownValue(value)
  return value.type !== 'files' && !(Array.isArray(plain) && plain.length >= 25)
}
