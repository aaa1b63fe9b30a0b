import { createPage, retrievePage, updatePage } from '../domain/pages/pages.ts'
import type { Handlers } from '../contract/call.ts'

export const pages = {
  createPage: (call) => call.write((scope) => createPage(scope, call.body, call.query.filter_properties)),
  retrievePage: (call) => call.read((scope) => retrievePage(scope, call.path.page_id, call.query.filter_properties)),
  updatePage: (call) => call.write((scope) => updatePage(scope, call.path.page_id, call.body, call.query.filter_properties)),
} satisfies Partial<Handlers>
