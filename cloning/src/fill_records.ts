import { hasOptionValues } from '@workspace-service/server/contract/copied_records.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import { BlockCopier } from './block_copier.ts'
import { plainTextIn, refusalOf, runOptionalStep, type CloneContext, type Values } from './clone_context.ts'

/** Gives every page its properties, icon, cover and blocks, and every database and data source its description. */
export async function fillRecords(context: CloneContext, onDone: () => void): Promise<void> {
  const copier = new BlockCopier(context)
  const fill = async (record: Values): Promise<void> => {
    const id = String(record['id'])
    const step = `fill ${id}`
    if (!context.progress.isDone(step)) {
      if (record['object'] === 'page') await fillPage(context, copier, id, record)
      else await describe(context, id, record)
      context.progress.note(step)
    }
    onDone()
  }
  // A database that shares its title with its only data source is described last, so that it determines the title.
  for await (const record of context.progress.records()) if (record['object'] !== 'database') await fill(record)
  for await (const record of context.progress.records()) if (record['object'] === 'database') await fill(record)
  await copier.copyMirrors()
}

async function fillPage(context: CloneContext, copier: BlockCopier, id: string, page: Values): Promise<void> {
  await writeProperties(context, id, await wholeProperties(context, id, page))
  const { icon, cover, is_locked: isLocked, is_archived: isArchived } = page
  const wanted = await context.rewriter.rewrite({ icon, cover, is_locked: isLocked, is_archived: isArchived })
  const body = context.form.of('UpdatePageRequest', wanted)
  await copier.copy(id)
  const step = { name: `details ${id}`, operation: 'updatePage', path: { page_id: id }, body } as const
  await runOptionalStep(context, step, ['icon and cover of a page', id])
}

async function describe(context: CloneContext, id: string, record: Values): Promise<void> {
  const { form, rewriter } = context
  const { title, description, icon, cover, is_inline: isInline, is_locked: isLocked } = record
  const wanted = await rewriter.rewrite({ title, description, icon, cover, is_inline: isInline, is_locked: isLocked })
  const isDatabase = record['object'] === 'database'
  const body = form.of(isDatabase ? 'DatabaseUpdateRequest' : 'DataSourceUpdateRequest', wanted)
  const operation = isDatabase ? 'updateDatabase' : 'updateDataSource'
  const path = isDatabase ? { database_id: id } : { data_source_id: id }
  await runOptionalStep(context, { name: `describe ${id}`, operation, path, body }, ['description of a database', id])
  if (isDatabase) noteOtherTitle(context, record)
}

/** Notes a data source that kept its own title after its siblings were deleted: an only data source has the title of its database. */
function noteOtherTitle({ progress }: CloneContext, { data_sources: sources, title }: Values): void {
  if (!Array.isArray(sources) || sources.length !== 1 || !isObject(sources[0])) return
  const { id, name } = sources[0]
  if (name !== plainTextIn(title))
    progress.leaveOut(
      'title of a data source',
      String(id),
      `${String(name)}: the only data source of a database has the title of the database.`,
    )
}

/** Lists of a page are truncated at this many entries; the operation for a single property returns the rest. */
const LIST_CUT = 25

async function wholeProperties({ source }: CloneContext, pageId: string, { properties }: Values): Promise<Values> {
  const whole: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(isObject(properties) ? properties : {})) {
    whole[name] = value
    const type = isObject(value) ? String(value['type']) : ''
    const list = isObject(value) ? value[type] : undefined
    if (!isObject(value) || !Array.isArray(list) || list.length < LIST_CUT) continue
    const items: unknown[] = []
    const path = { page_id: pageId, property_id: String(value['id']) }
    for await (const item of source.pages.properties.retrieve(path)) items.push((item as Values)[type])
    // A property that is never truncated comes as one array instead of as items.
    whole[name] = { ...value, [type]: items.flat() }
  }
  return whole
}

/** Writes all properties together; if they are refused, separately, leaving out those that are refused again. */
async function writeProperties(
  { form, rewriter, target, progress }: CloneContext,
  pageId: string,
  values: Values,
): Promise<void> {
  const rewritten = await rewriter.rewrite(namedOptions(values))
  const entries = Object.entries(isObject(rewritten) ? rewritten : {}).flatMap(([name, value]) => {
    const fitted = form.of('PropertyValueRequest', value)
    return fitted === undefined ? [] : [[name, fitted] as const]
  })
  const send = async (properties: object): Promise<string | undefined> => {
    try {
      await target.send('updatePage', { path: { page_id: pageId }, body: { properties } })
      return undefined
    } catch (error) {
      return refusalOf(error)
    }
  }
  if (entries.length === 0 || (await send(Object.fromEntries(entries))) === undefined) return
  for (const [name, value] of entries) {
    const refusal = await send({ [name]: value })
    if (refusal !== undefined) progress.leaveOut('value', `${pageId} ${name}`, refusal)
  }
}

/** Options by name, because their ids differ in the clone; a status without a value keeps the default. */
function namedOptions(values: Values): Values {
  const named = Object.entries(values).map(([name, value]) => {
    if (!isObject(value)) return [name, value]
    const type = String(value['type'])
    const content = value[type]
    return [
      name,
      hasOptionValues(value) ? { type, [type]: Array.isArray(content) ? content.map(withoutId) : withoutId(content) } : value,
    ]
  })
  return Object.fromEntries(named)
}

function withoutId(option: unknown): unknown {
  if (!isObject(option)) return option
  const { id: _id, ...rest } = option
  return rest
}
