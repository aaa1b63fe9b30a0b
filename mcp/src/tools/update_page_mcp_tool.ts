import { z } from 'zod'
import type {
  PagePropertiesRequest,
  PageObject,
  PropertyValue,
  PropertyValueRequest,
  WorkspaceClient,
} from '../../../client/src/index.ts'
import { recordIdIn } from '../forgiving.ts'
import { requireFull, titleOf, valuesOf } from '../records.ts'
import { defineTool, ToolError } from '../tool.ts'
import { undoValues } from '../undo_steps.ts'
import { shownValue } from '../values/shown_value.ts'
import { propertyNamed } from '../values/properties.ts'
import { richTextItems, valueRequest, type WrittenValue } from '../values/value_request.ts'
import { writtenValues } from './written_values.ts'

export const updatePageMcpTool = defineTool({
  name: 'update_page',
  title: 'Update a page or row',
  description:
    'Changes the title, the icon or property values of a page or row. Values that are not named stay as they are. To change its text, use edit_page.',
  operations: ['retrievePage', 'updatePage'],
  input: z.object({
    page: z.string().describe('Id or URL of the page or row'),
    title: z.string().optional(),
    icon: z.string().optional().describe('An emoji'),
    values: writtenValues.optional(),
  }),
  async run({ client, undo }, { page, title, icon, values = {} }) {
    const id = recordIdIn(page, 'page')
    const before = requireFull(await client.pages.retrieve({ page_id: id }))
    const properties = await requestOf(client, before, values)
    if (title !== undefined) properties[titleName(before)] = { title: richTextItems(title) }
    const after = requireFull(
      await client.pages.update({ page_id: id, properties, ...(icon !== undefined && { icon: { emoji: icon } }) }),
    )
    const earlier = earlierValues(before, Object.keys(properties))
    return {
      id,
      title: titleOf(after),
      values: valuesOf(after),
      ...(earlier && { undo: undo.add(undoValues(client, id, earlier)) }),
    }
  },
})

async function requestOf(
  client: WorkspaceClient,
  page: PageObject,
  values: Readonly<Record<string, WrittenValue>>,
): Promise<Record<string, PropertyValueRequest>> {
  const named = Object.entries(page.properties).map(([name, { type }]) => ({ name, type }))
  const requests: Record<string, PropertyValueRequest> = {}
  for (const [name, value] of Object.entries(values)) {
    const property = propertyNamed(named, name, `values.${name}`)
    requests[property.name] = await valueRequest(client, property, value, `values.${name}`)
  }
  return requests
}

function titleName(page: PageObject): string {
  const found = Object.entries(page.properties).find(([, { type }]) => type === 'title')
  if (!found) throw new ToolError('This page has no title that the token may change.')
  return found[0]
}

/** The values before a change, as a request; undefined if the page does not contain all of one. */
function earlierValues(page: PageObject, names: readonly string[]): PagePropertiesRequest | undefined {
  const values = names.map((name) => [name, page.properties[name]] as const)
  if (values.some(([, value]) => value === undefined || !isComplete(value))) return undefined
  return Object.fromEntries(values) as PagePropertiesRequest
}

/** Page objects contain up to 25 links and mentions; files have signed addresses, which cannot be sent back later. */
function isComplete(value: PropertyValue): boolean {
  const plain = shownValue(value)
  return value.type !== 'files' && !(Array.isArray(plain) && plain.length >= 25)
}
