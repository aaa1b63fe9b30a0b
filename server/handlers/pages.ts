import type { PageMarkdown, PageObject, PartialPage, PendingAsyncTask } from '../../generated/types.ts'
import { createPageLater, updatePageMarkdownLater } from '../domain/async_tasks/works.ts'
import { retrievePageMarkdown, updatePageMarkdown } from '../domain/markdown/page_markdown.ts'
import { createPage, retrievePage, updatePage } from '../domain/pages/pages.ts'
import type { Handlers } from '../contract/call.ts'

export const pages = {
  createPage: (call) =>
    call.write<PageObject | PartialPage | PendingAsyncTask>((scope) =>
      (call.body.allow_async ? createPageLater : createPage)(scope, call.body, call.query.filter_properties),
    ),
  retrievePage: (call) => call.read((scope) => retrievePage(scope, call.path.page_id, call.query.filter_properties)),
  updatePage: (call) => call.write((scope) => updatePage(scope, call.path.page_id, call.body, call.query.filter_properties)),
  retrievePageMarkdown: (call) =>
    call.read((scope) => retrievePageMarkdown(scope, call.path.page_id, call.query.include_transcript ?? false)),
  updatePageMarkdown: (call) =>
    call.write<PageMarkdown | PendingAsyncTask>((scope) =>
      (call.body.allow_async ? updatePageMarkdownLater : updatePageMarkdown)(scope, call.path.page_id, call.body),
    ),
} satisfies Partial<Handlers>
