import type { CreatePageRequest, PendingAsyncTask, UpdatePageMarkdownRequest } from '../../../../generated/types.ts'
import { prepareMarkdown, requireMarkdownPage, updatePageMarkdown } from '../../content/index.ts'
import { APPLY_TEMPLATE, applyTemplate, prepareTemplate } from '../pages/apply_template.ts'
import { createPage, draftPageMarkdown, parsePageMarkdown, requireCreatable } from '../pages/pages.ts'
import type { Scope, WriteScope } from '../../shared/index.ts'
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

/** Work with a long preparation that needs no transaction. */
function workAfter<Request, Prepared>(
  prepare: (scope: Scope, request: Request) => Promise<Prepared>,
  change: (scope: WriteScope, request: Request, prepared: Prepared) => Promise<object>,
): Work {
  return async (reading, request) => {
    const prepared = await prepare(reading, request as Request)
    return (scope) => change(scope, request as Request, prepared)
  }
}

/** The work of tasks on pages, by operation. It receives the request that was passed to `startTask`. */
export const works: ReadonlyMap<string, Work> = new Map<string, Work>([
  [
    CREATE_PAGE,
    workAfter(
      async (scope, { body }: CreatePageWork) => draftPageMarkdown(scope, await parsePageMarkdown(body)),
      (scope, { body, filter }, markdown) => createPage(scope, body, filter, markdown),
    ),
  ],
  [
    UPDATE_PAGE_MARKDOWN,
    workAfter(
      (scope, { id, body }: UpdatePageMarkdownWork) => prepareMarkdown(scope, id, body),
      (scope, { id, body }, prepared) => updatePageMarkdown(scope, id, body, prepared),
    ),
  ],
  [APPLY_TEMPLATE, workAfter(prepareTemplate, applyTemplate)],
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
