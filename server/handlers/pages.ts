import type { PageMarkdown, PageObject, PartialPage, PendingAsyncTask } from '../../generated/types.ts'
import { createPageLater, updatePageMarkdownLater } from '../domain/async_tasks/works.ts'
import { retrievePageMarkdown, updatePageMarkdown } from '../domain/markdown/page_markdown.ts'
import { movePage } from '../domain/pages/move.ts'
import { createPage, retrievePage } from '../domain/pages/pages.ts'
import { retrievePageProperty } from '../domain/pages/property_items.ts'
import { updatePage } from '../domain/pages/update.ts'
import type { Handlers } from '../contract/call.ts'
import { pageRequest } from './paging.ts'

export const pages = {
  createPage: (call) =>
    call.write<PageObject | PartialPage | PendingAsyncTask>((scope) =>
      (call.body.allow_async ? createPageLater : createPage)(scope, call.body, call.query.filter_properties),
    ),
  retrievePage: (call) => call.read((scope) => retrievePage(scope, call.path.page_id, call.query.filter_properties)),
  updatePage: (call) => call.write((scope) => updatePage(scope, call.path.page_id, call.body, call.query.filter_properties)),
  movePage: (call) => call.write((scope) => movePage(scope, call.path.page_id, call.body)),
  retrievePageProperty: (call) =>
    call.read((scope) => retrievePageProperty(scope, call.path.page_id, call.path.property_id, pageRequest(call.query))),
  retrievePageMarkdown: (call) =>
    call.read((scope) => retrievePageMarkdown(scope, call.path.page_id, call.query.include_transcript ?? false)),
  updatePageMarkdown: (call) =>
    call.write<PageMarkdown | PendingAsyncTask>((scope) =>
      (call.body.allow_async ? updatePageMarkdownLater : updatePageMarkdown)(scope, call.path.page_id, call.body),
    ),
} satisfies Partial<Handlers>
