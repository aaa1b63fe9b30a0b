import type { TemplateList } from '../../../../generated/types.ts'
import { idsOf } from '../../../kernel/ids.ts'
import { visibleAmong } from '../../../store/access.ts'
import { findBlocks } from '../../../store/blocks.ts'
import { findTemplateInRange, listTemplates, type DataSourceTemplate } from '../../../store/data_source_templates.ts'
import { cutPageById, presentPaging, rowAtCursor, type PageRequest, type Scope } from '../../shared/index.ts'
import { gatherFacts, plainText, type StoredRichText } from '../../content/index.ts'
import { requireDataSource } from './load.ts'

/** Templates of a data source that are visible to the caller, oldest first. @param name part of the title, in any case */
export async function listDataSourceTemplates(
  scope: Scope,
  id: string,
  request: PageRequest,
  name: string | undefined,
): Promise<TemplateList> {
  const { db, actor } = scope
  const dataSource = await requireDataSource(scope, id)
  const after = await rowAtCursor(scope.cursors, request, (range) =>
    findTemplateInRange(db, actor.workspaceId, dataSource.id, range),
  )
  const named = await namesOf(scope, await visibleTemplates(scope, dataSource.id))
  const wanted = named.filter((template) => name === undefined || template.name.toLowerCase().includes(name.toLowerCase()))
  const remaining = after === undefined ? wanted : wanted.filter((template) => isAfter(template, after))
  const page = cutPageById(scope.cursors, remaining.slice(0, request.pageSize + 1), request)
  const templates = page.items.map((template) => ({ id: template.id, name: template.name, is_default: template.isDefault }))
  return {
    object: 'list',
    type: 'template',
    template: {},
    results: templates,
    templates,
    ...presentPaging(page),
  }
}

function isAfter(template: DataSourceTemplate, after: DataSourceTemplate): boolean {
  return template.createdTime > after.createdTime || (template.createdTime === after.createdTime && template.id > after.id)
}

async function visibleTemplates(scope: Scope, dataSourceId: string): Promise<DataSourceTemplate[]> {
  const all = await listTemplates(scope.db, scope.actor.workspaceId, dataSourceId)
  const visible = await visibleAmong(scope.db, scope.actor, idsOf(all))
  return all.filter(({ id }) => visible.has(id))
}

async function namesOf(
  scope: Scope,
  templates: readonly DataSourceTemplate[],
): Promise<(DataSourceTemplate & { readonly name: string })[]> {
  const blocks = await findBlocks(scope.db, scope.actor.workspaceId, idsOf(templates))
  const titles = [...blocks.values()].map(({ content }) => content['title'])
  const facts = await gatherFacts(scope, titles)
  return templates.flatMap((template) => {
    const block = blocks.get(template.id)
    return block && !block.inTrash ? [{ ...template, name: plainText(block.content['title'] as StoredRichText, facts) }] : []
  })
}

/** The default template for new rows, if it is visible to the caller. */
export async function defaultTemplate(scope: Scope, dataSourceId: string): Promise<string | undefined> {
  return (await visibleTemplates(scope, dataSourceId)).find(({ isDefault }) => isDefault)?.id
}
