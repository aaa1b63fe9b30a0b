import { readPageTree, retrievePageMarkdown, type FoundRecord, type PageTree } from '../../domain/content/index.ts'
import { retrieveDatabase, retrievePage } from '../../domain/data/index.ts'
import type { Membership } from '../../domain/people/index.ts'
import type { Scope } from '../../domain/shared/index.ts'
import type { Deadline } from '../../kernel/deadline.ts'
import { idIn } from '../../kernel/ids.ts'
import type { Response } from '../../kernel/response.ts'
import type { Dependencies } from '../dependencies.ts'
import { fieldOf } from '../oauth/browser.ts'
import type { Html } from '../oauth/html.ts'
import type { FormFields } from '../oauth/oauth_body.ts'
import { basePath, CONSOLE_PATH } from '../oauth/site_paths.ts'
import { databaseBody } from './database_body.ts'
import { documentResponse } from './document.ts'
import type { ApiAddress } from './for_programs.ts'
import { Libraries } from './libraries.ts'
import { loadDatabase } from './load_database.ts'
import { loadPage, unlessHidden } from './load_page.ts'
import { headingsIn, pageBody } from './page_body.ts'
import type { PageView } from './page_view.ts'
import { readerScope } from './reader_scope.ts'
import { joinedPlainText } from './rich_text.ts'
import { sidebarOf } from './sidebar.ts'
import { sourceBody, type RecordSource } from './source_body.ts'
import { titleOfRow } from './values/columns.ts'

/** A request of a signed-in person for a page of a workspace. */
export interface Visit {
  readonly deps: Dependencies
  readonly membership: Membership
  readonly deadline: Deadline
  readonly email: string
  readonly query: FormFields
  readonly locale: string
}

/** @returns undefined if the record was deleted or hidden meanwhile */
export function respondWithRecord(visit: Visit, found: FoundRecord): Promise<Response | undefined> {
  const form = fieldOf(visit.query, 'as')
  const pageId = found.kind === 'block' ? found.pageId : found.id
  if (pageId === null) return Promise.resolve(undefined)
  const isSource = (form === 'json' || form === 'markdown') && found.kind !== 'block'
  if (isSource) return unlessHidden(showSource(visit, found.kind === 'database' ? 'database' : 'page', pageId, form))
  return unlessHidden(found.kind === 'database' ? showDatabase(visit, pageId) : showPage(visit, pageId, found.id))
}

async function showPage(visit: Visit, pageId: string, rootId: string): Promise<Response> {
  const from = idIn(fieldOf(visit.query, 'from') ?? '')
  const loaded = await readFor(visit, [], (scope) => loadPage(scope, pageId, rootId, from))
  const view = {
    ...emptyView(visit),
    titles: loaded.titles,
    comments: loaded.comments,
    entries: new Map((loaded.tree.below.get(pageId) ?? []).map((entry) => [entry.id, entry])),
    path: loaded.tree.path,
    headings: headingsIn(loaded.root),
    accessPath: accessPathOf(visit, pageId),
  }
  const main = await rendered(view, () => pageBody(view, apiOf(visit), loaded, from !== undefined))
  return documentOf(visit, joinedPlainText(titleOfRow(loaded.page)), main, loaded.tree, pageId)
}

async function showDatabase(visit: Visit, id: string): Promise<Response> {
  const [viewId, month, from] = [
    idIn(fieldOf(visit.query, 'v') ?? ''),
    fieldOf(visit.query, 'month'),
    fieldOf(visit.query, 'from'),
  ]
  const list = ['database', id, viewId ?? '', month ?? '']
  const loaded = await readFor(visit, list, (scope) => loadDatabase(scope, id, { viewId, from, month }))
  const view = { ...emptyView(visit), titles: loaded.titles, path: loaded.tree.path, accessPath: accessPathOf(visit, id) }
  const main = await rendered(view, () => databaseBody(view, apiOf(visit), loaded))
  return documentOf(visit, joinedPlainText(loaded.database.title), main, loaded.tree, id)
}

function accessPathOf({ deps, membership }: Visit, id: string): string | undefined {
  if (membership.role !== 'owner' || deps.consoleFolder === undefined) return undefined
  return `${basePath(deps.baseUrl())}${CONSOLE_PATH}/access/${id}`
}

async function showSource(visit: Visit, kind: 'page' | 'database', id: string, form: 'json' | 'markdown'): Promise<Response> {
  const [source, tree] = await readFor(visit, [], async (scope) => [
    await sourceOf(scope, kind, id, form),
    await readPageTree(scope, id),
  ])
  const view = emptyView(visit)
  const main = await rendered(view, () => sourceBody(view, apiOf(visit), source))
  return documentOf(visit, source.title, main, tree, id)
}

async function sourceOf(scope: Scope, kind: 'page' | 'database', id: string, form: 'json' | 'markdown'): Promise<RecordSource> {
  if (kind === 'database') {
    const database = await retrieveDatabase(scope, id)
    const call = { operation: 'retrieveDatabase', parameters: { database_id: id }, returns: RETURNS } as const
    const title = 'title' in database ? joinedPlainText(database.title) : ''
    return { id, title, language: 'json', text: JSON.stringify(database, null, 2), call }
  }
  const page = await retrievePage(scope, id, undefined)
  const title = 'properties' in page ? joinedPlainText(titleOfRow(page)) : ''
  const parameters = { page_id: id }
  if (form === 'json') {
    const call = { operation: 'retrievePage', parameters, returns: RETURNS } as const
    return { id, title, language: 'json', text: JSON.stringify(page, null, 2), call }
  }
  const { markdown, truncated } = await retrievePageMarkdown(scope, id, false)
  const call = { operation: 'retrievePageMarkdown', parameters, returns: RETURNS } as const
  const note = truncated ? 'The page is too long to be shown in full.' : undefined
  return { id, title, language: 'markdown', text: markdown, call, note }
}

const RETURNS = 'What is shown here'

/** Reads in one transaction. @param list identifies the list to which cursors belong, with everything on which its content depends */
export function readFor<Result>(
  { deps, membership, deadline }: Visit,
  list: readonly string[],
  read: (scope: Scope) => Promise<Result>,
): Promise<Result> {
  return deps.database.read((db) => read(readerScope(deps, db, membership.actor, deadline, list)))
}

export function emptyView({ deps, locale }: Visit): PageView {
  const baseUrl = deps.baseUrl()
  return {
    base: basePath(baseUrl),
    baseUrl,
    locale,
    libraries: new Libraries(),
    titles: new Map(),
    entries: new Map(),
    comments: new Map(),
    path: [],
    headings: [],
  }
}

/** Renders, and renders again if a library had to be loaded. */
export async function rendered({ libraries }: PageView, render: () => Html | Promise<Html>): Promise<Html> {
  const html = await render()
  return (await libraries.load()) ? render() : html
}

function apiOf({ deps }: Visit): ApiAddress {
  const baseUrl = deps.baseUrl()
  return { base: basePath(baseUrl), baseUrl, versionHeader: deps.headers.nameOf('Version') }
}

function documentOf(visit: Visit, title: string, main: Html, tree: PageTree, currentId: string): Response {
  const site = emptyView(visit)
  const { membership, email } = visit
  return documentResponse({
    base: site.base,
    title: title || 'Untitled',
    email,
    workspace: { id: membership.actor.workspaceId, name: membership.workspaceName ?? 'Workspace' },
    sidebar: sidebarOf(site, tree, currentId),
    main,
  })
}
