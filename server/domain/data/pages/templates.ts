import type { CreatePageRequest, UpdatePageRequest } from '../../../../generated/types.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import { trashedAmong } from '../../../store/trash.ts'
import { findTimeZone } from '../../../store/users.ts'
import { requireCapabilities, invalid, type WriteScope } from '../../shared/index.ts'
import { defaultTemplate } from '../data_sources/templates.ts'
import { requirePage, type ReferenceList } from '../../content/index.ts'
import { startTask } from '../async_tasks/tasks.ts'
import { APPLY_TEMPLATE, requireCopyableTemplate, type TemplateWork } from './apply_template.ts'
import { TooLargeError } from './copy_tree.ts'

type TemplateRequest = CreatePageRequest['template'] | UpdatePageRequest['template']

interface ChosenTemplate {
  readonly id: string
  readonly timeZone: string | undefined
  /** The path of the template in the request. */
  readonly path: string
}

/**
 * The template that a request names, which is added to the references of the request; undefined for none.
 * @throws ServiceError `restricted_resource` without the read-content capability
 */
export function chosenTemplate(
  scope: WriteScope,
  template: TemplateRequest,
  references: ReferenceList,
): ChosenTemplate | undefined {
  if (template === undefined || template.type === 'none') return undefined
  requireCapabilities(scope.actor, ['read_content'], 'applying a template')
  if (template.type === 'default')
    throw invalid('body.template', 'should name a template by its `template_id`: the data source has no default template')
  const path = 'body.template.template_id'
  references.add('page', template.template_id, path)
  return { id: canonicalId(template.template_id), timeZone: template.timezone, path }
}

/** The request with the default template of the data source replaced by its id. Other requests are returned unchanged. */
export async function namedTemplate(
  scope: WriteScope,
  template: TemplateRequest,
  dataSource: { readonly id: string } | undefined,
): Promise<TemplateRequest> {
  if (template?.type !== 'default' || dataSource === undefined) return template
  const id = await defaultTemplate(scope, dataSource.id)
  if (id === undefined) return template
  return { type: 'template_id', template_id: id, ...(template.timezone === undefined ? {} : { timezone: template.timezone }) }
}

/** Checks that a template can be applied. Whether it exists and is visible is checked with all other references. */
export async function requireUsable(scope: WriteScope, { id, path }: ChosenTemplate): Promise<void> {
  if ((await trashedAmong(scope.db, scope.actor.workspaceId, [id])).size > 0)
    throw invalid(path, 'should be the id of a page outside the trash')
  try {
    await requireCopyableTemplate(scope, await requirePage(scope, id, path))
  } catch (error) {
    if (error instanceof TooLargeError)
      throw invalid(path, `should be the id of a smaller page: this one contains ${error.message}`)
    throw error
  }
}

/** Fills a page from a template after the response. Values that the request itself sets are kept. */
export async function fillLater(
  scope: WriteScope,
  pageId: string,
  template: ChosenTemplate,
  request: CreatePageRequest | UpdatePageRequest,
): Promise<void> {
  const looks = (['icon', 'cover'] as const).filter((name) => request[name] !== undefined)
  await startTask(scope, APPLY_TEMPLATE, {
    pageId,
    templateId: template.id,
    timeZone: template.timeZone ?? (await zoneOf(scope)),
    sent: [...Object.keys(request.properties ?? {}), ...looks.map((name) => `.${name}`)],
  } satisfies TemplateWork)
}

/** The time zone of the person who authorized the token; UTC for internal connections, or if it is unknown. */
async function zoneOf({ db, actor }: WriteScope): Promise<string> {
  return (actor.personId === undefined ? undefined : await findTimeZone(db, actor.workspaceId, actor.personId)) ?? 'UTC'
}
