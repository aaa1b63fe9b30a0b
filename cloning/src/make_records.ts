import { firstDataSourceId } from '@workspace-service/server/contract/copied_records.ts'
import { firstCharacters } from '@workspace-service/server/kernel/first_characters.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import { plainTextIn, refusalOf, runStep, type CloneContext, type CloneStep, type Values } from './clone_context.ts'
import { addFirstProperties, firstProperties, deferProperties } from './copy_properties.ts'
import { containedRecords, type TreeNode } from './record_tree.ts'

/** The context for creating the records. */
interface Plan {
  /** Plain titles, by id. */
  readonly titles: ReadonlyMap<string, string>
  readonly dataSources: ReadonlyMap<string, Values>
  /** The data source that each database is created with. */
  readonly firstSources: ReadonlyMap<string, string>
}

/**
 * Creates every page, database and data source under its own id, with only its title and its independent properties, so that later steps
 * can refer to them.
 */
export async function makeRecords(context: CloneContext, onDone: () => void): Promise<void> {
  const plan = await planOf(context)
  for await (const node of context.tree.inOrder((pageId) => recordsOn(context, pageId))) {
    await makeRecord(context, plan, node)
    const dataSource = plan.dataSources.get(node.id)
    if (dataSource) await addFirstProperties(context, dataSource)
    onDone()
  }
}

async function planOf({ progress }: CloneContext): Promise<Plan> {
  const titles = new Map<string, string>()
  const dataSources = new Map<string, Values>()
  const firstSources = new Map<string, string>()
  for await (const record of progress.records()) {
    const id = String(record['id'])
    titles.set(id, titleOf(record))
    if (record['object'] === 'data_source') dataSources.set(id, record)
    if (record['object'] === 'database') firstSources.set(id, firstDataSourceId(record) ?? '')
  }
  return { titles, dataSources, firstSources }
}

async function makeRecord(context: CloneContext, { titles, dataSources, firstSources }: Plan, node: TreeNode): Promise<void> {
  const { id, kind, parentId } = node
  const name = `make ${id}`
  const text = titles.get(id) ?? ''
  const title = text === '' ? [] : [{ text: { content: text } }]
  if (kind === 'page') {
    const body = { parent: parentIn(context, parentId), properties: { title } }
    return runStep(context, { name, operation: 'createPage', body, ids: { block: [id] } })
  }
  if (kind === 'database') {
    const sourceId = firstSources.get(id) ?? ''
    const ids = { database: [id], data_source: [sourceId] }
    return makeWithProperties(context, dataSources.get(sourceId), (properties) => {
      const body = { parent: parentIn(context, parentId), title, initial_data_source: { properties } }
      return { name, operation: 'createDatabase', body, ids }
    })
  }
  if (firstSources.get(parentId ?? '') === id) return
  return makeWithProperties(context, dataSources.get(id), (properties) => {
    const body = { parent: { database_id: parentId }, title, properties }
    return { name, operation: 'createDataSource', body, ids: { data_source: [id] } }
  })
}

/** Runs a step that creates a data source with all of its first properties or, if that is refused, with its title. */
async function makeWithProperties(
  context: CloneContext,
  dataSource: Values | undefined,
  stepOf: (properties: object) => CloneStep,
): Promise<void> {
  try {
    await runStep(context, stepOf(firstProperties(context, dataSource)))
  } catch (error) {
    if (!dataSource) throw error
    refusalOf(error)
    deferProperties(context, dataSource)
    await runStep(context, stepOf(firstProperties(context, dataSource)))
  }
}

/** The pages and databases on a page, in order. */
async function recordsOn({ source, progress }: CloneContext, pageId: string): Promise<readonly string[]> {
  const step = `order ${pageId}`
  const known = progress.valueOf(step)
  if (known !== undefined) return known.split(' ')
  const ids: string[] = []
  for await (const block of source.blocks.children.list({ block_id: pageId }))
    if ('type' in block && containedRecords.has(block.type)) ids.push(block.id)
  progress.note(step, ids.join(' '))
  return ids
}

function parentIn({ tree }: CloneContext, parentId: string | undefined): object {
  if (parentId === undefined) return { workspace: true }
  return tree.get(parentId)?.kind === 'data_source' ? { data_source_id: parentId } : { page_id: parentId }
}

/** The maximum length of a provisional title. The complete one, with mentions and styles, replaces it when the record is filled. */
const TITLE_CHARACTERS_MAX = 500

function titleOf(record: Values): string {
  const { title, properties } = record
  const ofPage = Object.values(isObject(properties) ? properties : {}).find((one) => isObject(one) && one['type'] === 'title')
  const text = plainTextIn(Array.isArray(title) ? title : isObject(ofPage) ? ofPage['title'] : [])
  return firstCharacters(text, TITLE_CHARACTERS_MAX)
}
