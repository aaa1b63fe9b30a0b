import { createPageLater, updatePageMarkdownLater } from '../domain/async_tasks/works.ts'
import { retrievePageMarkdown, updatePageMarkdown } from '../domain/markdown/page_markdown.ts'
import { movePage } from '../domain/pages/move.ts'
import { createPage, retrievePage } from '../domain/pages/pages.ts'
import { retrievePageProperty } from '../domain/pages/property_items.ts'
import { updatePage } from '../domain/pages/update.ts'
import { read, write, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const pageHandlers = {
  createPage: write((scope, call) =>
    (call.body.allow_async ? createPageLater : createPage)(scope, call.body, call.query.filter_properties),
  ),
  retrievePage: read((scope, call) => retrievePage(scope, call.path.page_id, call.query.filter_properties)),
  updatePage: write((scope, call) => updatePage(scope, call.path.page_id, call.body, call.query.filter_properties)),
  movePage: write((scope, call) => movePage(scope, call.path.page_id, call.body)),
  retrievePageProperty: read((scope, call) =>
    retrievePageProperty(scope, call.path.page_id, call.path.property_id, pageRequest(call.query)),
  ),
  retrievePageMarkdown: read((scope, call) =>
    retrievePageMarkdown(scope, call.path.page_id, call.query.include_transcript ?? false),
  ),
  updatePageMarkdown: write((scope, call) =>
    (call.body.allow_async ? updatePageMarkdownLater : updatePageMarkdown)(scope, call.path.page_id, call.body),
  ),
} satisfies Partial<Handlers>
