import type { CreatePageRequest, PendingAsyncTask, UpdatePageMarkdownRequest } from '../../../generated/types.ts'
import { AGENT_BATCH, applyAgentBatch } from '../agents/batch.ts'
import { requireMarkdownPage, updatePageMarkdown } from '../markdown/page_markdown.ts'
import { APPLY_TEMPLATE, applyTemplate } from '../pages/apply_template.ts'
import { createPage, requireCreatable } from '../pages/pages.ts'
import type { WriteScope } from '../scope.ts'
import type { Work } from './task_kind.ts'
import { operationName, startTask } from './tasks.ts'

const CREATE_PAGE = operationName('createPage')
const UPDATE_PAGE_MARKDOWN = operationName('updatePageMarkdown')

interface CreatePageWork {
  readonly body: CreatePageRequest
  readonly filter?: readonly string[]
}

interface UpdatePageMarkdownWork {
  readonly id: string
  readonly body: UpdatePageMarkdownRequest
}

function workOn<Request>(work: (scope: WriteScope, request: Request) => Promise<object>): Work {
  return (scope, request) => work(scope, request as Request)
}

/** The work of each kind of task, which receives the request that was passed to `startTask`. */
export const works: ReadonlyMap<string, Work> = new Map<string, Work>([
  [CREATE_PAGE, workOn(async (scope, { body, filter }: CreatePageWork) => createPage(scope, body, filter))],
  [UPDATE_PAGE_MARKDOWN, workOn(async (scope, { id, body }: UpdatePageMarkdownWork) => updatePageMarkdown(scope, id, body))],
  [AGENT_BATCH, workOn(applyAgentBatch)],
  [APPLY_TEMPLATE, workOn(applyTemplate)],
])

/** Creates a page in the background, after everything except its Markdown has been checked. */
export async function createPageLater(
  scope: WriteScope,
  body: CreatePageRequest,
  filter: readonly string[] | undefined,
): Promise<PendingAsyncTask> {
  await requireCreatable(scope, body)
  return startTask(scope, CREATE_PAGE, { body, ...(filter === undefined ? {} : { filter }) } satisfies CreatePageWork)
}

/** Changes the Markdown of a page in the background, after the permission has been checked. */
export async function updatePageMarkdownLater(
  scope: WriteScope,
  id: string,
  body: UpdatePageMarkdownRequest,
): Promise<PendingAsyncTask> {
  await requireMarkdownPage(scope, id)
  return startTask(scope, UPDATE_PAGE_MARKDOWN, { id, body } satisfies UpdatePageMarkdownWork)
}
