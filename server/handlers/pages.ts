import {
  createPageLater,
  updatePageMarkdownLater,
  movePage,
  createPage,
  draftPageMarkdown,
  parsePageMarkdown,
  retrievePage,
  retrievePageProperty,
  updatePage,
} from '../domain/data/index.ts'
import { prepareMarkdown, retrievePageMarkdown, updatePageMarkdown } from '../domain/content/index.ts'
import { read, write, writeAfter, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const pageHandlers = {
  // Markdown becomes blocks before the read-write transaction begins, so that a long text does not block other writers.
  createPage: writeAfter(
    async ({ read }, call) => {
      const parsed = call.body.allow_async ? undefined : await parsePageMarkdown(call.body)
      return parsed && read((scope) => draftPageMarkdown(scope, parsed))
    },
    (scope, call, markdown) =>
      call.body.allow_async
        ? createPageLater(scope, call.body, call.query.filter_properties)
        : createPage(scope, call.body, call.query.filter_properties, markdown),
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
  updatePageMarkdown: writeAfter(
    async ({ read }, call) =>
      call.body.allow_async ? undefined : read((scope) => prepareMarkdown(scope, call.path.page_id, call.body)),
    (scope, call, prepared) =>
      prepared
        ? updatePageMarkdown(scope, call.path.page_id, call.body, prepared)
        : updatePageMarkdownLater(scope, call.path.page_id, call.body),
  ),
} satisfies Partial<Handlers>
