import { asRichText, sendOnce, readPlainText, type CloneParts, type SchemaParts, type Values } from './clone_parts.ts'
import { isObject } from '../kernel/is_object.ts'

/** Blocks that are pages and databases of their own. */
export const CONTAINED_RECORDS: ReadonlySet<string> = new Set(['child_page', 'child_database'])

/** Properties that need others: they are added when all data sources are there. */
export const LATER_PROPERTIES: ReadonlySet<string> = new Set(['relation', 'rollup', 'formula'])

/**
 * Makes every page, database and data source under its own id, with no more than its title and its independent properties, so that all that
 * follows can refer to them.
 */
export async function makeRecords(parts: CloneParts, onDone: () => void): Promise<void> {
  const titles = new Map<string, string>()
  const sources = new Map<string, Values>()
  const first = new Map<string, string>()
  for await (const record of parts.progress.records()) {
    const id = String(record['id'])
    titles.set(id, titleOf(record).slice(0, TITLE_LENGTH_MAX))
    if (record['object'] === 'data_source') sources.set(id, record)
    if (record['object'] === 'database') first.set(id, firstSourceOf(record))
  }
  for await (const node of parts.tree.inOrder((pageId) => recordsOn(parts, pageId))) {
    const step = `make ${node.id}`
    const title = asRichText(titles.get(node.id) ?? '')
    if (node.kind === 'page') {
      const body = { parent: pageParent(parts, node.parentId), properties: { title } }
      await sendOnce(parts, step, 'createPage', { body, ids: { block: [node.id] } })
    } else if (node.kind === 'database') {
      const sourceId = first.get(node.id) ?? ''
      const body = {
        parent: pageParent(parts, node.parentId),
        title,
        initial_data_source: { properties: independentProperties(parts, sources.get(sourceId)) },
      }
      await sendOnce(parts, step, 'createDatabase', { body, ids: { database: [node.id], data_source: [sourceId] } })
    } else if (first.get(node.parentId ?? '') !== node.id) {
      const body = {
        parent: { database_id: node.parentId },
        title,
        properties: independentProperties(parts, sources.get(node.id)),
      }
      await sendOnce(parts, step, 'createDataSource', { body, ids: { data_source: [node.id] } })
    }
    onDone()
  }
}

/** The pages and databases on a page, as they follow each other. */
async function recordsOn({ source, progress }: CloneParts, pageId: string): Promise<readonly string[]> {
  const step = `order ${pageId}`
  const known = progress.valueOf(step)
  if (known !== undefined) return known.split(' ')
  const ids: string[] = []
  for await (const block of source.each('listBlockChildren', { path: { block_id: pageId } }))
    if ('type' in block && CONTAINED_RECORDS.has(block.type)) ids.push(block.id)
  progress.note(step, ids.join(' '))
  return ids
}

/** A page, database or data source can be refused by no length of its title. */
const TITLE_LENGTH_MAX = 2_000

function pageParent({ tree }: CloneParts, parentId: string | undefined): object {
  if (parentId === undefined) return { workspace: true }
  return tree.get(parentId)?.kind === 'data_source' ? { data_source_id: parentId } : { page_id: parentId }
}

/** The title of a page is a property of its own type. */
export function titleOf(record: Values): string {
  if (Array.isArray(record['title'])) return readPlainText(record['title'])
  const { properties } = record
  if (!isObject(properties)) return ''
  const title = Object.values(properties).find((value) => isObject(value) && value['type'] === 'title')
  return isObject(title) ? readPlainText(title['title']) : ''
}

/** The data source that a database was created with. */
export function firstSourceOf(database: Values): string {
  const { data_sources: sources } = database
  const [first]: unknown[] = Array.isArray(sources) ? sources : []
  return isObject(first) ? String(first['id']) : ''
}

/** The properties that a data source is made with, as a request has them. */
export function independentProperties(
  { form, progress }: Pick<SchemaParts, 'form'> & { readonly progress: Pick<SchemaParts['progress'], 'leaveOut'> },
  dataSource: Values | undefined,
): object {
  const properties = isObject(dataSource?.['properties']) ? dataSource['properties'] : {}
  const made: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property) || LATER_PROPERTIES.has(String(property['type']))) continue
    const settings = form.of('PropertyConfigRequest', newSettings(property))
    if (settings !== undefined) made[name] = settings
    else
      progress.leaveOut(
        'property',
        `${String(dataSource?.['id'])} ${name}`,
        `A property of type ${String(property['type'])} cannot be created.`,
      )
  }
  return Object.keys(made).length > 0 ? made : { Name: { title: {} } }
}

/** The settings of a property as those of a new one, whose id the service assigns. The groups of a status name their options. */
function newSettings({ id: _id, ...property }: Values): Values {
  const { status } = property
  if (!isObject(status) || !Array.isArray(status['groups']) || !Array.isArray(status['options'])) return property
  const names = new Map(status['options'].filter(isObject).map((option) => [option['id'], option['name']]))
  const groups = status['groups'].filter(isObject).map(({ name, option_ids: ids }) => ({
    name,
    option_ids: Array.isArray(ids) ? ids.map((optionId: unknown) => names.get(optionId) ?? optionId) : [],
  }))
  return { ...property, status: { options: status['options'], groups } }
}
